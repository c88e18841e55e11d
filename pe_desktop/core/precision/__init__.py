"""Tables in float32, float16 and bfloat16, as frameworks compute them, beside the exact ones."""
