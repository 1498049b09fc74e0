package org.relaxvm.integrationtests.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.SourceText;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.TokenStream;

/** The texts of a module after each step of the original compiler, and the kernels in them. */
final class GoldenTexts {
  private GoldenTexts() {}

  /** The texts of a case, from the first step to the last. */
  static List<Path> of(String name) throws IOException {
    try (Stream<Path> files = Files.list(Golden.require(name).resolve("ir"))) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  /** The kernels of a text by their names there, in order. */
  static Map<String, PrimFunc> kernels(Path file) throws IOException {
    return kernels(new SourceText(file.toString(), Files.readString(file)));
  }

  static Map<String, PrimFunc> kernels(SourceText source) {
    Map<String, PrimFunc> kernels = new LinkedHashMap<>();
    Set<String> symbols = new HashSet<>();
    TokenStream tokens = new TokenStream(source);
    while (tokens.peek().kind() != Token.Kind.END) {
      if (tokens.comes("@", "T", ".", "prim_func")) {
        EmbeddedText.Kernel kernel = EmbeddedText.parseKernel(tokens, symbols);
        kernels.put(kernel.name().text(), kernel.function());
      } else if (tokens.peek(1).is("=") && tokens.peek(2).is("TypeVar")) {
        symbols.add(tokens.next().text());
      } else {
        tokens.next();
      }
    }
    return kernels;
  }
}
