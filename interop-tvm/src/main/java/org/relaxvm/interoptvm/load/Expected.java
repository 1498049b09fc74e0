package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;

/**
 * What a library expects of others.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why are needed libraries opened before symbols are
 * called missing?"
 *
 * @param symbols the symbols that it does not define and RelaxVM does not have
 * @param libraries the libraries that it names as needed
 */
public record Expected(List<String> symbols, List<String> libraries) {
  /** Nothing. */
  public static final Expected NOTHING = new Expected(List.of(), List.of());

  /** Copies the lists. */
  public Expected {
    symbols = List.copyOf(symbols);
    libraries = List.copyOf(libraries);
  }

  /** The error of a library that cannot be loaded, with the symbols that nobody has. */
  LinkException refusal(Path path, String problem) {
    String message = "cannot load " + path.toAbsolutePath() + ": " + problem;
    List<String> missing = problem.contains("undefined symbol") ? missing(path) : List.of();
    if (!missing.isEmpty()) {
      message +=
          "\n  symbols that it expects and that neither RelaxVM nor this process has: "
              + String.join(", ", missing)
              + "\n  what to do: link the library that has them when the model is exported, so that"
              + " the model names it, or compile the model without what needs them";
    }
    return new LinkException(ErrorKind.RUNTIME, message);
  }

  /** A symbol of a needed library is not missing, and those were not loaded if this one was not. */
  private List<String> missing(Path path) {
    List<Long> opened = new ArrayList<>();
    try {
      for (String library : libraries) {
        long handle = DynamicLinker.openLocal(library).handle();
        if (handle == 0) {
          // Where the library's own search path most often points.
          Path beside = path.toAbsolutePath().resolveSibling(library);
          handle = DynamicLinker.openLocal(beside.toString()).handle();
        }
        if (handle != 0) {
          opened.add(handle);
        }
      }
      return symbols.stream()
          .filter(name -> DynamicLinker.symbolOfProcess(name) == 0)
          .filter(name -> opened.stream().allMatch(h -> DynamicLinker.symbol(h, name) == 0))
          .toList();
    } finally {
      opened.forEach(DynamicLinker::close);
    }
  }
}
