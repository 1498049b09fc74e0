package org.relaxvm.builtins;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.text.PythonText;

/**
 * The builtins of the Relax prototype of 2021, for programs in its notation.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 13.
 */
final class EarlierNames {
  private static final String STORE_SHAPE = "vm.builtin.store_shape";
  private static final String LOAD_SHAPE = "vm.builtin.load_shape";

  private final Supplier<PrintStream> out;

  EarlierNames(Supplier<PrintStream> out) {
    this.out = out;
  }

  Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.move",
        Moves.COPY,
        "vm.builtin.move",
        Moves.COPY,
        STORE_SHAPE,
        EarlierNames::storeShape,
        LOAD_SHAPE,
        EarlierNames::loadShape,
        "vm.builtin.print",
        this::print);
  }

  private static void storeShape(CallArgs args, CallResult result) {
    requireAtLeast(args, 2, STORE_SHAPE + "(shape, heap, slots...)");
    Shape shape = args.ref(0) instanceof Tensor tensor ? tensor.shape() : args.shapeAt(0);
    int slots = args.count() - 2;
    if (shape.rank() != slots) {
      throw new CallException(
          ErrorKind.VALUE,
          STORE_SHAPE
              + " needs one slot of the heap for each dimension of "
              + shape
              + ", but got "
              + slots);
    }
    for (int i = 0; i < slots; i++) {
      ShapeHeap.store(args.ref(1), args.longAt(2 + i), shape.dim(i));
    }
  }

  private static void loadShape(CallArgs args, CallResult result) {
    requireAtLeast(args, 1, LOAD_SHAPE + "(heap, slots...)");
    long[] dims = new long[args.count() - 1];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = ShapeHeap.load(args.ref(0), args.longAt(1 + i));
    }
    result.set(Shape.ofOwned(dims));
  }

  private void print(CallArgs args, CallResult result) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < args.count(); i++) {
      values.add(PythonText.of(args.at(i), any -> Devices.onHost(args, any)));
    }
    out.get().println(String.join(" ", values));
  }

  private static void requireAtLeast(CallArgs args, int count, String signature) {
    if (args.count() < count) {
      throw new CallException(
          ErrorKind.TYPE,
          signature + " needs at least " + count + " arguments, but got " + args.count());
    }
  }
}
