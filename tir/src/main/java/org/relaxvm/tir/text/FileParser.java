package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.Token.Kind;

/** Reads a text of kernels. */
final class FileParser {
  private FileParser() {}

  static List<PrimFunc> parse(SourceText source) {
    TokenStream tokens = new TokenStream(source);
    List<PrimFunc> functions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    while (tokens.peek().kind() != Kind.END) {
      EmbeddedText.Kernel kernel = EmbeddedText.parseKernel(tokens, Set.of());
      Token name = kernel.name();
      if (!names.add(name.text())) {
        throw tokens.error(name, "the kernel '" + name.text() + "' is there twice");
      }
      functions.add(kernel.function());
    }
    return List.copyOf(functions);
  }
}
