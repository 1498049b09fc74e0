package org.relaxvm.vmcore.program;

/**
 * An option that programs of a format are loaded with. Immutable.
 *
 * @param name such as {@code bind}
 * @param form of its values, such as {@code NAME=N}
 * @param description what it does, as a sentence
 */
public record FormatOption(String name, String form, String description) {}
