package org.relaxvm.integrationtests.fuzz;

/** The formats of files that are damaged. */
enum Format {
  EXECUTABLE(".bin"),
  PACKAGE(".rvm"),
  TEXT(".txt"),
  NPY(".npy"),
  NPZ(".npz"),
  PARAMS(".params");

  private final String extension;

  Format(String extension) {
    this.extension = extension;
  }

  /** How names of its files end. */
  String extension() {
    return extension;
  }
}
