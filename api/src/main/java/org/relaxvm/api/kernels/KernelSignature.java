package org.relaxvm.api.kernels;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;

/**
 * How a library kernel is called and what it does.
 *
 * @param name such as {@code relaxvm.matmul}
 * @param version raised when the arguments or the meaning change
 * @param arguments in the order of the call: inputs, attributes, outputs
 * @param aliasing whether the output may overlap inputs
 * @param semantics what is computed, as Markdown
 */
public record KernelSignature(
    String name, int version, List<KernelArgument> arguments, Aliasing aliasing, String semantics) {

  /** Copies the list. */
  public KernelSignature {
    arguments = List.copyOf(arguments);
  }

  /** The call in one line, such as {@code relaxvm.softmax(x, axis, out)}. */
  public String call() {
    return arguments.stream()
        .map(KernelArgument::name)
        .collect(Collectors.joining(", ", name + "(", ")"));
  }

  /** What calls read and write: outputs are written. */
  public CallEffects effects() {
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).role() == ArgumentRole.OUTPUT) {
        written.add(i);
      }
    }
    return CallEffects.writing(written);
  }

  /** The position of an argument in the call. */
  public int indexOf(String argument) {
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).name().equals(argument)) {
        return i;
      }
    }
    throw new IllegalArgumentException(name + " has no argument '" + argument + "'");
  }

  /**
   * Checks number, kinds and dtypes of the arguments of a call. For the kernel to check remain
   * shapes, the values of attributes, and of each tensor whether it is open ({@link
   * org.relaxvm.api.Managed#isLive}), on the kernel's device, and of strides and a dtype that the
   * kernel can compute with. Allocates nothing when all is well.
   *
   * @throws org.relaxvm.api.error.CallException a {@code TypeError} that names the kernel and the
   *     argument, with what was expected and what was given
   */
  public void check(CallArgs args) {
    if (args.count() != arguments.size()) {
      // Not before: the text of the call is made anew each time.
      args.requireCount(call(), arguments.size());
    }
    for (int i = 0; i < arguments.size(); i++) {
      ArgumentCheck.check(this, i, args);
    }
  }
}
