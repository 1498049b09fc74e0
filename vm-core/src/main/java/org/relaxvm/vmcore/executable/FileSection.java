package org.relaxvm.vmcore.executable;

/**
 * The sections of a file as Apache TVM's loader names them. Source: docs/spec/executable-format.md,
 * section 7.
 */
enum FileSection {
  HEADER("header"),
  VERSION("version"),
  GLOBALS("Global Section"),
  MEMORY_SCOPES("memory scopes"),
  CONSTANT("constant"),
  CONSTANT_STRING("constant string"),
  INSTR_OFFSET("instr offset"),
  INSTR_DATA("instr data");

  private final String text;

  FileSection(String text) {
    this.text = text;
  }

  /** The first line of errors in this section. */
  String problem() {
    return "Invalid VM file format in the " + text + " section.";
  }
}
