package org.relaxvm.cli.inspect;

/**
 * A packed function that a program calls.
 *
 * @param name its global name
 * @param found whether somebody provides it here
 * @param provider who provides it, or what was searched
 */
public record NeededFunction(String name, boolean found, String provider) {}
