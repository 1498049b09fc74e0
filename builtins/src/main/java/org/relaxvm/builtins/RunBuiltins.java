package org.relaxvm.builtins;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.text.PythonFormat;
import org.relaxvm.builtins.text.PythonText;

/** The {@code relax.run.*} helpers that print and assert. */
final class RunBuiltins {
  private final Supplier<PrintStream> out;

  RunBuiltins(Supplier<PrintStream> out) {
    this.out = out;
  }

  Map<String, PackedFunc> functions() {
    return Map.of("relax.run.print", this::print, "relax.run.assert_op", this::assertOp);
  }

  private void print(CallArgs args, CallResult result) {
    String format = args.stringAt(0);
    List<String> values = texts(args, 1);
    out.get()
        .println(format.isEmpty() ? String.join(" ", values) : PythonFormat.format(format, values));
  }

  private void assertOp(CallArgs args, CallResult result) {
    String format = args.stringAt(1);
    if (holds(args)) {
      return;
    }
    List<String> values = texts(args, 2);
    String message = "Assertion Failed";
    if (!format.isEmpty()) {
      message = PythonFormat.format(format, values);
    } else if (!values.isEmpty()) {
      message = String.join(", ", values);
    }
    throw new CallException(ErrorKind.ASSERTION, message).withTvmMessage(message);
  }

  private static boolean holds(CallArgs args) {
    if (args.ref(0) instanceof ScalarTag) {
      return args.booleanAt(0);
    }
    Tensor condition = args.tensorAt(0);
    DType dtype = condition.dtype();
    if (dtype.code() != TypeCode.BOOL || dtype.lanes() != 1) {
      throw new CallException(
              ErrorKind.VALUE, "the condition must be a bool tensor, but is of " + dtype)
          .withTvmMessage("The condition must be a bool scalar, but given a " + dtype + " tensor");
    }
    if (condition.shape().rank() != 0) {
      throw new CallException(
              ErrorKind.VALUE,
              "the condition must be a scalar, but has the shape " + condition.shape())
          .withTvmMessage(
              "Expected a scalar, but given a tensor of shape " + PythonText.of(condition.shape()));
    }
    return Devices.onHost(args, condition).toLongArray()[0] != 0;
  }

  private static List<String> texts(CallArgs args, int from) {
    List<String> texts = new ArrayList<>();
    for (int i = from; i < args.count(); i++) {
      texts.add(PythonText.of(args.at(i), any -> Devices.onHost(args, any)));
    }
    return texts;
  }
}
