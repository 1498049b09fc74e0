package org.relaxvm.vmcore.vm;

import java.util.Collection;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.link.SimilarNames;

/** Error messages about functions and stateful calls. First lines are those of Apache TVM. */
final class Messages {
  private static final int MOST_NAMES = 20;

  private Messages() {}

  static CallException unknownFunction(String name, Collection<String> known) {
    List<String> similar = SimilarNames.of(name, known);
    String hint = similar.isEmpty() ? "" : "\n  similar: " + String.join(", ", similar);
    return new CallException(
        ErrorKind.VALUE,
        "Unknown function: " + name + hint + "\n  the program has: " + listed(known));
  }

  static CallException notCallable(String name) {
    return new CallException(
        ErrorKind.INTERNAL,
        "Cannot support closure with function kind 0\n  "
            + name
            + " is a packed function that the program calls, not a function of the program");
  }

  static CallException noSuchParameter(String function, int index, int count) {
    return new CallException(
        ErrorKind.VALUE, "Invalid index for " + function + " (" + index + " out of " + count + ")");
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

  static CallException unknownDevice(Device device, List<Device> known) {
    return new CallException(
        ErrorKind.VALUE,
        device
            + " is not a device of this virtual machine\n  its devices are: "
            + listed(known.stream().map(Device::toString).toList()));
  }

  static CallException wrongInputCount(FunctionInfo function, int given) {
    String names =
        function.paramNames().isEmpty()
            ? ""
            : " (" + String.join(", ", function.paramNames()) + ")";
    return new CallException(
        ErrorKind.INTERNAL,
        "The number of provided parameters doesn't match the number of arguments for\n  function "
            + function.name()
            + " has "
            + function.numArgs()
            + " parameters"
            + names
            + ", but "
            + given
            + " were given");
  }

  static CallException noInputs(String function) {
    return new CallException(
        ErrorKind.VALUE,
        "No inputs set for stateful call of " + function + "; use `set_input` first.");
  }

  static CallException noOutput(String function) {
    return new CallException(
        ErrorKind.VALUE,
        "No output saved for call of \""
            + function
            + "\"; use `invoke_stateful` to call it first.");
  }

  static CallException tupleOutput() {
    return new CallException(
        ErrorKind.VALUE,
        "`get_output` cannot return a tuple for RPC compatibility. Please specify another index"
            + " argument.");
  }

  static CallException notIndexable() {
    return new CallException(
        ErrorKind.VALUE, "Attempted to index into an object that is not an Array.");
  }

  static CallException noSuchOutput(int index, int count) {
    return new CallException(ErrorKind.INDEX, "Invalid index (" + index + " >= " + count + ").");
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
