package org.relaxvm.vmcore.vm;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.interp.Arity;
import org.relaxvm.vmcore.link.SimilarNames;
import org.relaxvm.vmcore.program.TensorSpec;

/** Errors about functions, their arguments and stateful calls. */
final class Messages {
  private static final int MOST_NAMES = 20;

  private Messages() {}

  static CallException unknownFunction(String name, Collection<String> known) {
    List<String> similar = SimilarNames.of(name, known);
    String hint = similar.isEmpty() ? "" : "\n  similar: " + String.join(", ", similar);
    return new CallException(
            ErrorKind.VALUE,
            "there is no function '" + name + "'" + hint + "\n  the program has: " + listed(known))
        .withTvmMessage("Unknown function: " + name);
  }

  static CallException notCallable(String name, Collection<String> callable) {
    return new CallException(
            ErrorKind.INTERNAL,
            "'"
                + name
                + "' is a kernel, not a function of the program; callable are: "
                + listed(callable))
        .withTvmMessage("Cannot support closure with function kind 0");
  }

  static CallException noSuchParameter(String function, int index, int count) {
    return new CallException(
            ErrorKind.VALUE,
            "function "
                + function
                + " has no parameter "
                + index
                + ": it has "
                + count
                + (count == 1 ? " parameter" : " parameters"))
        .withTvmMessage("Invalid index for " + function + " (" + index + " out of " + count + ")");
  }

  /** For a name that is none of a function's parameters or outputs. */
  static CallException unknownName(
      String function, String kind, String name, Collection<String> known) {
    return new CallException(
        ErrorKind.VALUE,
        known.isEmpty()
            ? "function "
                + function
                + " has no "
                + kind
                + " '"
                + name
                + "': the program does not name its "
                + kind
                + "s\n  what to do: use the index, from 0"
            : "function "
                + function
                + " has no "
                + kind
                + " '"
                + name
                + "'\n  it has: "
                + listed(known));
  }

  static CallException inputNotSet(String function, int index, List<String> names) {
    boolean isNamed = index < names.size();
    return new CallException(
        ErrorKind.VALUE,
        "function "
            + function
            + " needs a value for parameter "
            + index
            + (isNamed ? " ('" + names.get(index) + "')" : "")
            + ", and none is set\n  what to do: set it with input("
            + (isNamed ? "\"" + names.get(index) + "\"" : index)
            + ", value), or add it to the map of inputs");
  }

  static CallException noSuchResult(String function, int index, int count) {
    return new CallException(
        ErrorKind.INDEX,
        "function "
            + function
            + " has no output "
            + index
            + ": it returned "
            + count
            + (count == 1 ? " output" : " outputs"));
  }

  static CallException notATensor(String function, int index, @Nullable Object output) {
    return new CallException(
        ErrorKind.TYPE,
        "output "
            + index
            + " of function "
            + function
            + " is "
            + TypeKeys.describe(output)
            + ", not a tensor");
  }

  static CallException unfitOutput(String function, int index, Tensor result, Tensor target) {
    return new CallException(
        ErrorKind.VALUE,
        "output "
            + index
            + " of function "
            + function
            + " is "
            + result.dtype()
            + result.shape()
            + ", but the tensor bound to it is "
            + target.dtype()
            + target.shape()
            + "\n  what to do: bind a tensor of the same dtype and shape");
  }

  static CallException overwrittenOutput(String function, int index) {
    return new CallException(
        ErrorKind.VALUE,
        "output "
            + index
            + " of function "
            + function
            + " shares the memory of a tensor that is bound to another output\n  what to do: bind"
            + " output "
            + index
            + " too, or bind a tensor that is no input of the call");
  }

  static CallException unknownDevice(Device device, List<Device> known) {
    return new CallException(
        ErrorKind.VALUE,
        device
            + " is not a device of this virtual machine\n  its devices are: "
            + listed(known.stream().map(Device::toString).toList()));
  }

  /** For a call with too many or too few arguments; {@code specs} is empty where unknown. */
  static CallException wrongArgumentCount(
      FunctionInfo function, List<TensorSpec> specs, int given) {
    return Arity.mismatch(function.name(), parameters(function, specs), function.numArgs(), given)
        .withTvmMessage(
            Arity.tvmMessage(function.name(), function.paramNames(), function.numArgs(), given));
  }

  /** For inputs that are set with too many or too few arguments. */
  static CallException wrongInputCount(FunctionInfo function, List<TensorSpec> specs, int given) {
    return Arity.mismatch(function.name(), parameters(function, specs), function.numArgs(), given)
        .withTvmMessage(
            "The number of provided parameters doesn't match the number of arguments for");
  }

  static CallException noInputs(String function) {
    return new CallException(
            ErrorKind.VALUE,
            "no inputs are set for '"
                + function
                + "'; call session.setInput(\""
                + function
                + "\", ...) first")
        .withTvmMessage(
            "No inputs set for stateful call of " + function + "; use `set_input` first.");
  }

  static CallException noOutput(String function) {
    return new CallException(
            ErrorKind.VALUE,
            "there is no output of '"
                + function
                + "'; call session.invoke(\""
                + function
                + "\") first")
        .withTvmMessage(
            "No output saved for call of \""
                + function
                + "\"; use `invoke_stateful` to call it first.");
  }

  static CallException tupleOutput(String function, int fields, int[] indices) {
    return new CallException(
            ErrorKind.VALUE,
            output(function, indices)
                + " is a tuple of "
                + fields
                + (fields == 0
                    ? ", which has no field to name"
                    : "; name a field: session.output(\""
                        + function
                        + "\", "
                        + indexList(indices, indices.length)
                        + "0)"))
        .withTvmMessage(
            "`get_output` cannot return a tuple for RPC compatibility. Please specify another index"
                + " argument.");
  }

  static CallException notIndexable(String function, int[] indices, int depth) {
    return new CallException(
            ErrorKind.VALUE,
            output(function, indices, depth)
                + " is not a tuple, so it has no field "
                + indices[depth])
        .withTvmMessage("Attempted to index into an object that is not an Array.");
  }

  static CallException noSuchOutput(String function, int[] indices, int depth, int count) {
    return new CallException(
            ErrorKind.INDEX,
            output(function, indices, depth)
                + " is a tuple of "
                + count
                + ", so it has no field "
                + indices[depth])
        .withTvmMessage("Invalid index (" + indices[depth] + " >= " + count + ").");
  }

  private static String output(String function, int[] indices) {
    return output(function, indices, indices.length);
  }

  private static String output(String function, int[] indices, int depth) {
    return depth == 0
        ? "the output of '" + function + "'"
        : "field "
            + indexList(indices, depth - 1)
            + indices[depth - 1]
            + " of the output of '"
            + function
            + "'";
  }

  private static String indexList(int[] indices, int depth) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      text.append(indices[i]).append(", ");
    }
    return text.toString();
  }

  private static String parameters(FunctionInfo function, List<TensorSpec> specs) {
    return specs.size() == function.numArgs()
        ? specs.stream().map(TensorSpec::toString).collect(Collectors.joining(", "))
        : String.join(", ", function.paramNames());
  }

  private static String listed(Collection<String> names) {
    if (names.isEmpty()) {
      return "no functions";
    }
    String shown = String.join(", ", names.stream().limit(MOST_NAMES).toList());
    int more = names.size() - MOST_NAMES;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }
}
