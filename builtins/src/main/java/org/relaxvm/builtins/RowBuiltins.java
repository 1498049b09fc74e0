package org.relaxvm.builtins;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The {@code relaxvm.rows*} functions: tensors of one shape that become the rows of one tensor.
 *
 * <p>Rows are a tuple {@code (buffer, used, count, capacity)}: a tensor with space for more rows or
 * null, a tensor of the number of rows that were written to it, the number of rows that belong to
 * this tuple, and how many rows to expect. Appending writes to the buffer where no other tuple has
 * appended to the same rows, and copies it else: so each tuple keeps its rows, and a loop that
 * appends to the last one copies each row a constant number of times.
 */
final class RowBuiltins {
  private static final long LEAST_CAPACITY = 4;

  /** Of a buffer of which only the expected number of rows is known. */
  private static final long MOST_BYTES_AHEAD = 64L << 20;

  private RowBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "relaxvm.rows", RowBuiltins::rows,
        "relaxvm.rows_append", RowBuiltins::append,
        "relaxvm.rows_tensor", RowBuiltins::tensor);
  }

  private static void rows(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.rows(capacity)", 1);
    result.set(Tuple.ofOwned(new Object[] {null, null, 0L, Math.max(0, args.longAt(0))}));
  }

  /** The fields of such a tuple. */
  private record Rows(@Nullable Tensor buffer, @Nullable Tensor used, long count, long expected) {

    static Rows of(Tuple tuple) {
      if (tuple.size() == 4
          && tuple.get(2) instanceof Long count
          && tuple.get(3) instanceof Long expected) {
        Tensor buffer = tuple.get(0) instanceof Tensor tensor ? tensor : null;
        Tensor used = tuple.get(1) instanceof Tensor tensor ? tensor : null;
        return new Rows(buffer, used, count, expected);
      }
      throw new CallException(ErrorKind.TYPE, "expected rows, but got " + tuple);
    }

    /** Whether the buffer has space, and no other tuple has appended to these rows. */
    boolean hasSpace() {
      return buffer != null
          && used != null
          && count < buffer.shape().dim(0)
          && used.longAt(0) == count;
    }

    Tuple toTuple() {
      return Tuple.ofOwned(new Object[] {buffer, used, count, expected});
    }
  }

  private static void append(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.rows_append(rows, row)", 2);
    Rows rows = Rows.of(args.tupleAt(0));
    Tensor row = args.tensorAt(1);
    requireFit(rows, row);
    Tensor buffer;
    Tensor used;
    if (rows.hasSpace()) {
      buffer = Objects.requireNonNull(rows.buffer);
      used = Objects.requireNonNull(rows.used);
      buffer.retain();
      used.retain();
    } else {
      buffer = larger(args, rows, row);
      used = Tensor.of(new long[1], Shape.of(1));
    }
    Tuple appended = new Rows(buffer, used, rows.count + 1, rows.expected).toTuple();
    boolean done = false;
    try {
      write(args, row, buffer, rows.count);
      used.fill(rows.count + 1.0);
      done = true;
    } finally {
      if (!done) {
        appended.release();
      }
    }
    result.set(appended);
  }

  private static void requireFit(Rows rows, Tensor row) {
    if (rows.buffer != null && !isRowOf(row, rows.buffer)) {
      throw new CallException(
          ErrorKind.VALUE,
          "all iterations must give tensors of one shape, but iteration "
              + rows.count
              + " gives "
              + row
              + ", and the first one "
              + shapeOfRow(rows.buffer));
    }
  }

  private static boolean isRowOf(Tensor row, Tensor buffer) {
    return row.dtype().equals(buffer.dtype()) && row.shape().equals(shapeOfRow(buffer));
  }

  private static Shape shapeOfRow(Tensor buffer) {
    long[] dims = buffer.shape().toArray();
    return Shape.of(Arrays.copyOfRange(dims, 1, dims.length));
  }

  private static Shape withRows(long rows, Shape row) {
    long[] dims = new long[row.rank() + 1];
    dims[0] = rows;
    System.arraycopy(row.toArray(), 0, dims, 1, row.rank());
    return Shape.of(dims);
  }

  private static void write(CallArgs args, Tensor row, Tensor buffer, long index) {
    try (Tensor place = buffer.slice(0, index, index + 1)) {
      Devices.copyInto(args, row, place);
    }
  }

  /** A buffer with the same rows and space for more. */
  private static Tensor larger(CallArgs args, Rows rows, Tensor row) {
    long count = rows.count;
    long ahead = Math.min(rows.expected, MOST_BYTES_AHEAD / Math.max(1, row.byteSize()));
    long capacity = Math.max(Math.max(ahead, LEAST_CAPACITY), 2 * count);
    if (rows.expected > count) {
      capacity = Math.min(capacity, rows.expected);
    }
    Tensor buffer = Devices.allocateLike(args, row, withRows(capacity, row.shape()));
    boolean done = false;
    try {
      if (rows.buffer != null && count > 0) {
        try (Tensor from = rows.buffer.slice(0, 0, count);
            Tensor to = buffer.slice(0, 0, count)) {
          Devices.copyInto(args, from, to);
        }
      }
      done = true;
      return buffer;
    } finally {
      if (!done) {
        buffer.release();
      }
    }
  }

  private static void tensor(CallArgs args, CallResult result) {
    args.requireCount("relaxvm.rows_tensor(rows, shape, dtype)", 3);
    Rows rows = Rows.of(args.tupleAt(0));
    result.set(
        rows.buffer != null
            ? rows.buffer.slice(0, 0, rows.count)
            : Devices.allocate(args, args.dtypeAt(2), withRows(0, args.shapeAt(1))));
  }
}
