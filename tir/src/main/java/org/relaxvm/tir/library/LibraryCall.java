package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.Aliasing;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Device;

/**
 * A call of a function of the library: its arguments by name, and errors that name them. For one
 * thread, while the call lasts.
 */
public final class LibraryCall {
  private final KernelSignature signature;
  private final CallArgs args;

  private LibraryCall(KernelSignature signature, CallArgs args) {
    this.signature = signature;
    this.args = args;
  }

  /**
   * Checks all but shapes and the values of attributes.
   *
   * @param device where tensors have to be
   * @throws CallException when an argument is wrong
   */
  public static LibraryCall checked(KernelSignature signature, CallArgs args, Device device) {
    signature.check(args);
    LibraryCall call = new LibraryCall(signature, args);
    for (int i = 0; i < args.count(); i++) {
      for (Tensor tensor : call.tensors(i)) {
        call.checkMemory(i, tensor, device);
      }
    }
    call.checkOutput();
    return call;
  }

  /**
   * A call whose arguments were checked already: they have the kinds and dtypes of the signature.
   */
  public static LibraryCall of(KernelSignature signature, CallArgs args) {
    return new LibraryCall(signature, args);
  }

  /**
   * Whether a kernel on the host may use the tensors as they are: all are open, row-major and in
   * host memory, and the output overlaps an input only where the table allows it.
   */
  public boolean isPlain() {
    Tensor out = output();
    int last = args.count() - 1;
    for (int i = 0; i <= last; i++) {
      if (args.ref(i) instanceof Tensor tensor) {
        if (!isPlain(tensor, i == last ? null : out)) {
          return false;
        }
      } else if (args.ref(i) instanceof Tuple tuple) {
        for (int field = 0; field < tuple.size(); field++) {
          if (!(tuple.get(field) instanceof Tensor tensor && isPlain(tensor, out))) {
            return false;
          }
        }
      }
    }
    return !out.isConstant();
  }

  private boolean isPlain(Tensor tensor, @Nullable Tensor out) {
    return tensor.isLive()
        && tensor.device().isHost()
        && tensor.isContiguous()
        && (out == null || !overlap(tensor, out) || (mayAlias() && sameElements(tensor, out)));
  }

  private void checkMemory(int index, Tensor tensor, Device device) {
    if (!tensor.isLive()) {
      throw wrong(index, "an open tensor", "closed");
    }
    if (!tensor.device().equals(device)) {
      throw wrong(index, "on " + device, "on " + tensor.device());
    }
    if (!tensor.isContiguous()) {
      throw wrong(
          index,
          "a contiguous (row-major) tensor",
          "one of the shape "
              + tensor.shape()
              + " with the strides "
              + Arrays.toString(tensor.strides())
              + "; pass the whole tensor to relaxvm.permute_dims, relaxvm.strided_slice or"
              + " relaxvm.flip instead of a view of it");
    }
  }

  private void checkOutput() {
    int last = args.count() - 1;
    Tensor out = output();
    if (out.isConstant()) {
      throw wrong(last, "a tensor that can be written", "a constant");
    }
    for (int i = 0; i < last; i++) {
      for (Tensor input : tensors(i)) {
        if (overlap(input, out) && !(mayAlias() && sameElements(input, out))) {
          throw wrong(
              last,
              mayAlias()
                  ? "the very elements of '" + nameOf(i) + "' or apart from them"
                  : "apart from '" + nameOf(i) + "'",
              "in memory that overlaps it");
        }
      }
    }
  }

  private boolean mayAlias() {
    return signature.aliasing() == Aliasing.SAME_ELEMENTS;
  }

  private static boolean overlap(Tensor a, Tensor b) {
    return a.storage().memory().equals(b.storage().memory())
        && a.byteOffset() < b.byteOffset() + b.byteSize()
        && b.byteOffset() < a.byteOffset() + a.byteSize();
  }

  private static boolean sameElements(Tensor a, Tensor b) {
    return a.byteOffset() == b.byteOffset()
        && a.shape().equals(b.shape())
        && a.dtype().elementByteSize() == b.dtype().elementByteSize();
  }

  /** The function. */
  public KernelSignature signature() {
    return signature;
  }

  /** The arguments, borrowed. */
  public CallArgs args() {
    return args;
  }

  /** The tensors of an argument: none for null and for attributes. */
  public List<Tensor> tensors(int index) {
    return switch (args.ref(index)) {
      case Tensor tensor -> List.of(tensor);
      case Tuple tuple -> {
        List<Tensor> fields = new ArrayList<>();
        for (int field = 0; field < tuple.size(); field++) {
          fields.add((Tensor) Objects.requireNonNull(tuple.get(field)));
        }
        yield fields;
      }
      case null, default -> List.of();
    };
  }

  /** A tensor of an argument: a field of a tuple, else the argument itself. */
  Tensor tensor(int index, int field) {
    return args.ref(index) instanceof Tuple tuple
        ? (Tensor) Objects.requireNonNull(tuple.get(field))
        : args.tensorAt(index);
  }

  /** The tensors of an argument. */
  public List<Tensor> tensors(String name) {
    return tensors(indexOf(name));
  }

  /** The last argument. */
  public Tensor output() {
    return args.tensorAt(args.count() - 1);
  }

  /** Whether all tensors have the shape of the output. */
  public boolean hasOneShape() {
    Shape shape = output().shape();
    boolean one = true;
    for (int i = 0; i < args.count(); i++) {
      for (Tensor tensor : tensors(i)) {
        one &= tensor.shape().equals(shape);
      }
    }
    return one;
  }

  /** The extent of an axis of a tensor; 1 where it has no such axis. */
  public long extent(String name, int axis) {
    Shape shape = tensors(name).getFirst().shape();
    int index = axis < 0 ? axis + shape.rank() : axis;
    return index >= 0 && index < shape.rank() ? shape.dim(index) : 1;
  }

  /** All extents of a tensor. */
  public List<Long> extents(String name) {
    return Arrays.stream(tensors(name).getFirst().shape().toArray()).boxed().toList();
  }

  /** All extents of all tensors. */
  List<Long> extents() {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < args.count(); i++) {
      for (Tensor tensor : tensors(i)) {
        Arrays.stream(tensor.shape().toArray()).forEach(all::add);
      }
    }
    return all;
  }

  /** An attribute: a Long, a Double, a Boolean, a String, a Shape or null. */
  public @Nullable Object attribute(String name) {
    return args.at(indexOf(name));
  }

  /** A boolean. */
  public boolean flag(String name) {
    Object value = attribute(name);
    return value instanceof Boolean flag
        ? flag
        : ((Number) Objects.requireNonNull(value)).longValue() != 0;
  }

  int indexOf(String name) {
    return signature.indexOf(name);
  }

  private String nameOf(int index) {
    return signature.arguments().get(index).name();
  }

  /** The error for an argument: what it must be, and what it is. */
  CallException wrong(String name, String expected, String got) {
    return wrong(indexOf(name), expected, got);
  }

  private CallException wrong(int index, String expected, String got) {
    return new CallException(
        ErrorKind.VALUE,
        signature.name()
            + ": argument #"
            + index
            + " '"
            + nameOf(index)
            + "' must be "
            + expected
            + " but is "
            + got);
  }
}
