package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Collects the names that were not found, so that one error tells them all. */
final class MissingFunctions {
  private final FunctionSearch search;
  private final Map<String, String> lacking;
  private final List<String> tvmMessages = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /**
   * A collection.
   *
   * @param lacking kernels that the program brings and their device lacks, with the reason
   */
  MissingFunctions(FunctionSearch search, Map<String, String> lacking) {
    this.search = search;
    this.lacking = lacking;
  }

  void addPacked(String name) {
    names.add(name);
    tvmMessages.add(
        "Error: Cannot find ffi::Function "
            + name
            + " in either Relax VM kernel library, or in TVM runtime ffi::Function registry, or in"
            + " global Relax functions of the VM executable");
  }

  void addCompiled(String name) {
    names.add(FunctionKind.COMPILED_PREFIX + name);
    tvmMessages.add("Cannot find underlying compiled tirx function of VMTIRFunc " + name);
  }

  void throwIfAny() {
    if (names.isEmpty()) {
      return;
    }
    List<String> lacked = names.stream().filter(lacking::containsKey).toList();
    if (!lacked.isEmpty()) {
      throw lacked(lacked);
    }
    StringBuilder text =
        new StringBuilder(
            names.size() == 1
                ? "the program needs a function that nothing provides:"
                : "the program needs " + names.size() + " functions that nothing provides:");
    for (String name : names) {
      text.append("\n    ").append(name);
      List<String> similar = SimilarNames.of(name, search.knownNames());
      if (!similar.isEmpty()) {
        text.append(" (similar: ").append(String.join(", ", similar)).append(')');
      }
    }
    text.append("\n  searched, in this order:");
    for (String source : search.searched()) {
      text.append("\n    ").append(source);
    }
    List<String> unusable = search.unusable();
    if (!unusable.isEmpty()) {
      text.append("\n  jars that could not be searched:");
      unusable.forEach(jar -> text.append("\n    ").append(jar));
    }
    text.append(
        "\n"
            + "  what to do: add the jar that provides them, choose a device whose library has"
            + " them, or register them with function(name, f) on the builder or with"
            + " Functions.register");
    throw new LinkException(ErrorKind.INTERNAL, text.toString())
        .withTvmMessage(tvmMessages.getFirst());
  }

  private LinkException lacked(List<String> kernels) {
    StringBuilder text = new StringBuilder("devices lack kernels of the program:");
    for (String kernel : kernels) {
      text.append("\n    kernel ").append(kernel).append(": ").append(lacking.get(kernel));
    }
    text.append(
        "\n  what to do: choose a device that has them, or let the host compute them with"
            + " .fallbackToHost() (--allow-fallback)");
    return new LinkException(ErrorKind.VALUE, text.toString());
  }
}
