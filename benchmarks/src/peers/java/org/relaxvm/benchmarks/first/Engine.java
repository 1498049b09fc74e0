package org.relaxvm.benchmarks.first;

/** What runs a model in a process. */
enum Engine {
  /** RelaxVM, from a compiled package. */
  RELAXVM_PACKAGE("RelaxVM, .rvm", "--add-modules", "jdk.incubator.vector"),

  /** RelaxVM, which imports and compiles an ONNX file. */
  RELAXVM_ONNX("RelaxVM, .onnx", "--add-modules", "jdk.incubator.vector"),

  /** ONNX Runtime, from an ONNX file. */
  ONNX_RUNTIME("ONNX Runtime, .onnx");

  private final String title;
  private final String[] flags;

  Engine(String title, String... flags) {
    this.title = title;
    this.flags = flags;
  }

  String title() {
    return title;
  }

  /** JVM options that this engine asks for. */
  String[] flags() {
    return flags.clone();
  }
}
