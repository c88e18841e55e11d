// What both fields share: long tables folded into two dimensions, the pixel's place, the colours.
#ifdef GL_ES
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
#endif

// As wide as every driver allows (OpenGL ES 3.0), so that 65,536 entries are 32 rows.
const int FOLD_BITS = 11;
const int FOLD_MASK = 2047;

uniform sampler2D u_colors;  // the colour of every level
uniform usampler2D u_rows;  // for every pixel along the field's rows: its cell, or its block
uniform usampler2D u_columns;  // the same along the field's columns
uniform int u_left;  // the first pixel of this draw
uniform int u_top;  // and its uppermost one, counted from below, as OpenGL does
uniform int u_is_transposed;  // 1: the field's rows run to the right

out vec4 color;

ivec2 folded(int place) {
    return ivec2(place & FOLD_MASK, place >> FOLD_BITS);
}

uint entry(usampler2D table, int place) {
    return texelFetch(table, folded(place), 0).r;
}

// (place along the field's rows, place along its columns) of this pixel.
ivec2 place_in_field() {
    ivec2 pixel = ivec2(int(gl_FragCoord.x) - u_left, u_top - int(gl_FragCoord.y));
    return u_is_transposed == 1 ? pixel : pixel.yx;
}

vec4 color_of_level(int level) {
    return texelFetch(u_colors, ivec2(level, 0), 0);
}
