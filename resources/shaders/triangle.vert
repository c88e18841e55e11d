// One triangle that covers the whole viewport; the scissor cuts out what is drawn.
void main() {
    gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0);
}
