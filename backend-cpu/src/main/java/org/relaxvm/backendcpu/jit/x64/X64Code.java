package org.relaxvm.backendcpu.jit.x64;

/**
 * Machine code of a function.
 *
 * @param bytes position-independent code and its constants; the entry is the first byte, which has
 *     to be at a multiple of 64
 * @param frameBytes of the stack, saved registers not included
 * @param listing the instructions in Intel syntax, after the statements as comments; empty if it
 *     was not asked for
 */
public record X64Code(byte[] bytes, int frameBytes, String listing) {}
