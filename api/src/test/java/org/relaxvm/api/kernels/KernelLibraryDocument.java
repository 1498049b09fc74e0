package org.relaxvm.api.kernels;

/** Writes the table of the kernel library as Markdown. */
final class KernelLibraryDocument {
  private static final String HEAD =
      """
      # Kernel library

      The functions `relaxvm.<op>` that devices bring. This page is generated from the table in
      `org.relaxvm.api.kernels`; `KernelLibraryDocumentTest` compares it and says how to write it anew.

      Kernels are destination-passing: they return nothing and write into their output, the last
      argument. Arguments are positional; an optional one is null. Tensors may have any strides, but
      an output has no element twice. Rank 0 and extents of 0 are legal. *Broadcast* is NumPy's. The
      16-bit floats are computed in float32 or wider and rounded when stored.

      A wrong argument raises an error that names the kernel and the argument, with what was expected
      and what was given; nothing was written then.

      """;

  private KernelLibraryDocument() {}

  static String markdown(KernelLibrary library) {
    StringBuilder text = new StringBuilder(HEAD);
    for (KernelSignature signature : library.signatures()) {
      append(text, signature);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, KernelSignature signature) {
    text.append("## ").append(signature.name()).append("\n\n");
    text.append('`').append(signature.call()).append("`, version ").append(signature.version());
    text.append("\n\n").append(signature.semantics()).append("\n\n");
    text.append("Aliasing: ").append(signature.aliasing().text()).append(".\n\n");
    text.append("| # | argument | kind | dtype | shape | meaning |\n");
    text.append("| --- | --- | --- | --- | --- | --- |\n");
    int number = 0;
    for (KernelArgument argument : signature.arguments()) {
      text.append("| ").append(number++);
      text.append(" | `").append(argument.name()).append('`');
      cell(text, argument.role().text());
      cell(text, dtype(argument));
      cell(
          text, argument.shape().startsWith("[") ? '`' + argument.shape() + '`' : argument.shape());
      cell(text, argument.meaning());
      text.append(" |\n");
    }
    text.append('\n');
  }

  private static String dtype(KernelArgument argument) {
    String other = argument.sameDTypeAs();
    return other == null ? argument.dtypes().text() : "that of `" + other + '`';
  }

  private static void cell(StringBuilder text, String content) {
    text.append(" |").append(content.isEmpty() ? "" : " ").append(content);
  }
}
