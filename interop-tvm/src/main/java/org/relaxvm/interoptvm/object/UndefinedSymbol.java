package org.relaxvm.interoptvm.object;

/**
 * A symbol that a library uses and does not define.
 *
 * @param weak whether the library can do without
 */
public record UndefinedSymbol(String name, boolean weak) {}
