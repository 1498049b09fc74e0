package org.relaxvm.backendcpu.substitution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.tir.PrimFunc;

/**
 * What a kernel says about the library function that does the same, or did before other stages were
 * put behind it.
 *
 * @param arguments in the order of the signature
 */
record LibraryHint(KernelSignature signature, List<HintArgument> arguments) {
  /** The attribute with the name of the function. */
  static final String LIBRARY = "library";

  /** The attribute with the arguments. */
  static final String ARGUMENTS = "library.args";

  /** Copies the list. */
  LibraryHint {
    arguments = List.copyOf(arguments);
  }

  /**
   * The hint of a kernel; empty when it has none, or names a function or a number of arguments that
   * the kernel library of this release does not know.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when an argument cannot be read
   */
  static Optional<LibraryHint> of(PrimFunc function) {
    if (!(function.attrs().get(LIBRARY) instanceof String name)
        || !(function.attrs().get(ARGUMENTS) instanceof String text)) {
      return Optional.empty();
    }
    List<HintArgument> arguments = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      arguments.add(HintArgument.parse(function.name(), part.strip()));
    }
    return KernelLibrary.standard().signatures().stream()
        .filter(s -> s.name().equals(name) && s.arguments().size() == arguments.size())
        .findFirst()
        .map(signature -> new LibraryHint(signature, arguments));
  }

  /** The name of the tensor that the function writes, which is its last argument. */
  Optional<String> output() {
    return arguments.getLast() instanceof HintArgument.OfTensor(String name)
        ? Optional.of(name)
        : Optional.empty();
  }

  /** The argument of a name, if the function has one of that name. */
  Optional<HintArgument> argument(String name) {
    return signature.arguments().stream().anyMatch(a -> a.name().equals(name))
        ? Optional.of(arguments.get(signature.indexOf(name)))
        : Optional.empty();
  }
}
