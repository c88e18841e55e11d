// The mean of a sinusoidal table over a block of rows and positions, as a colour.
//
// A phase is the upper 32 bits of position times frequency, a fraction of a turn: whole turns overflow and are gone,
// so that position ten million is as exact as position one. Half positions, because the middle of a block may be one.
uniform usampler2D u_turns;  // for every pair: its turn in half a position, upper and lower word of 64 bits
uniform usampler2D u_starts;  // for every pair: its phase at position 0
uniform sampler2D u_lengths;  // for every pair: how long its hand is after the mean over a block of positions
uniform usampler2D u_hands;  // for every row of the field: twice its pair, plus 1 for a cosine
uniform int u_rows_in_block;
uniform int u_columns_in_block;
uniform float u_scale;  // levels for a value of 1
uniform float u_offset;  // the level of value 0, plus a half
uniform float u_last_level;

const float ANGLE_OF_UNIT = 1.4629180792671596e-9;  // 2 pi / 2^32

// The upper word of a 64-bit product, from products of 16-bit halves.
uint upper_product(uint a, uint b) {
    uint a0 = a & 0xFFFFu, a1 = a >> 16, b0 = b & 0xFFFFu, b1 = b >> 16;
    uint middle = a1 * b0 + ((a0 * b0) >> 16);
    uint other = a0 * b1 + (middle & 0xFFFFu);
    return a1 * b1 + (middle >> 16) + (other >> 16);
}

uint phase(uint half_positions, uint pair) {
    uvec2 turn = texelFetch(u_turns, folded(int(pair)), 0).rg;
    return entry(u_starts, int(pair)) + half_positions * turn.r + upper_product(half_positions, turn.g);
}

// GLSL promises nothing about sin(): this one errs by 3e-7, everywhere alike. The angle is folded to an eighth of a
// turn around the nearest quarter by whole numbers, which is exact.
float sine(uint phase) {
    uint quarters = (phase + 0x20000000u) >> 30;
    float x = float(int(phase - (quarters << 30))) * ANGLE_OF_UNIT;
    float xx = x * x;
    float s = x * (1.0 + xx * (-0.16666667 + xx * (0.008333331 + xx * -0.00019515296)));
    float c = 1.0 + xx * (-0.5 + xx * (0.041666668 + xx * (-0.0013888397 + xx * 2.4433157e-5)));
    float value = (quarters & 1u) == 1u ? c : s;
    return (quarters & 2u) == 2u ? -value : value;
}

void main() {
    ivec2 place = place_in_field();
    int first_row = int(entry(u_rows, place.x));
    uint half_positions = 2u * entry(u_columns, place.y) + uint(u_columns_in_block - 1);
    float sum = 0.0;
    for (int row = first_row; row < first_row + u_rows_in_block; row++) {
        uint hand = entry(u_hands, row);
        uint pair = hand >> 1;
        float length_of_mean = texelFetch(u_lengths, folded(int(pair)), 0).r;
        sum += length_of_mean * sine(phase(half_positions, pair) + ((hand & 1u) << 30));
    }
    float level = sum / float(u_rows_in_block) * u_scale + u_offset;
    color = color_of_level(int(clamp(level, 0.0, u_last_level)));
}
