package org.relaxvm.vmcore.executable;

import org.relaxvm.vmcore.binary.FormatProblem;

/** The sections of a file. Source: docs/spec/executable-format.md, section 7. */
enum FileSection {
  HEADER("header", "header"),
  VERSION("version", "version"),
  GLOBALS("function table", "Global Section"),
  MEMORY_SCOPES("memory scopes", "memory scopes"),
  CONSTANT("constants", "constant"),
  CONSTANT_STRING("constants", "constant string"),
  INSTR_OFFSET("instruction offsets", "instr offset"),
  INSTR_DATA("instructions", "instr data");

  private final String text;
  private final String tvmName;

  FileSection(String text, String tvmName) {
    this.text = text;
    this.tvmName = tvmName;
  }

  /** What errors in this section report. */
  FormatProblem problem() {
    return new FormatProblem(
        "malformed executable (section: " + text + ")",
        "Invalid VM file format in the " + tvmName + " section.");
  }
}
