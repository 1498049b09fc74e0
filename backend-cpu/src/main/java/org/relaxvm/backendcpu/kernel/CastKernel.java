package org.relaxvm.backendcpu.kernel;

import java.util.function.IntFunction;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Conversions;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * Conversion between dtypes: from an array of the kind that holds the one to an array that holds
 * the other, or within one array where it holds both.
 */
public final class CastKernel {
  private CastKernel() {}

  /** {@code relaxvm.cast}. */
  public static void run(KernelCall call) {
    call.requireBroadcast(0, call.output().shape());
    DType from = call.tensor(0).dtype();
    DType to = call.output().dtype();
    if (sameBits(from, to)) {
      copy(call, to.elementByteSize());
    } else if (to.code() == TypeCode.BOOL) {
      toTruth(call, from);
    } else if (from.isFloat()) {
      fromFloats(call, from, to);
    } else if (to.isFloat()) {
      toFloats(call, from, to);
    } else if (Codecs.holdsInts(from) && Codecs.holdsInts(to)) {
      convert(call, Codecs.ints(from), Codecs.ints(to));
    } else {
      convert(call, Codecs.integer(from), Codecs.integer(to));
    }
  }

  /** Whether nothing changes; a boolean may be any byte. */
  private static boolean sameBits(DType from, DType to) {
    boolean integers = from.code() != TypeCode.BOOL && !from.isFloat() && !to.isFloat();
    return from.bits() == to.bits()
        && (from.isFloat() ? from.equals(to) : integers && to.code() != TypeCode.BOOL);
  }

  private static void copy(KernelCall call, int bytes) {
    Operand x = ElementwiseKernels.stretched(call, 0);
    Operand out = Operand.of(call.output());
    run(
        call,
        x,
        out,
        length ->
            (fromAt, fromStep, toAt, toStep, count) ->
                Copies.run(bytes, x.memory(), fromAt, fromStep, out.memory(), toAt, toStep, count));
  }

  private static void toTruth(KernelCall call, DType from) {
    int sign = from.isFloat() ? 1 : 0;
    int bytes = from.elementByteSize();
    if (bytes == Long.BYTES) {
      convert(
          call,
          Codecs.longBits(),
          Codecs.integer(DType.INT8),
          (bits, count) -> Conversions.toTruth(bits, count, sign));
    } else {
      // Bits are read with the sign of the element: those in front of it are not to count.
      int dropped = from.isFloat() ? Integer.SIZE - from.bits() + sign : 0;
      convert(
          call,
          Codecs.bits(bytes),
          Codecs.bits(1),
          (bits, count) -> Conversions.toTruth(bits, count, dropped));
    }
  }

  private static void fromFloats(KernelCall call, DType from, DType to) {
    boolean isWide = from.bits() == 64;
    if (to.isFloat()) {
      if (isWide || to.bits() == 64) {
        convert(call, Codecs.wideFloat(from), Codecs.wideFloat(to));
      } else {
        convert(call, call.floatCodec(from), call.floatCodec(to));
      }
    } else if (Codecs.holdsInts(to)) {
      Codec<int[]> out = Codecs.ints(to);
      if (isWide) {
        Converter<double[], int[]> toInts = (x, y, count) -> Conversions.toInts(x, y, count, out);
        convert(call, Codecs.wideFloat(from), out, toInts);
      } else {
        Converter<float[], int[]> toInts = (x, y, count) -> Conversions.toInts(x, y, count, out);
        convert(call, call.floatCodec(from), out, toInts);
      }
    } else if (to.equals(DType.INT64) && !isWide) {
      convert(call, call.floatCodec(from), Codecs.integer(to), Conversions::toLongs);
    } else {
      Codec<long[]> out = Codecs.integer(to);
      Converter<double[], long[]> toLongs =
          (x, y, count) -> Conversions.toIntegers(x, y, count, out);
      convert(call, Codecs.wideFloat(from), out, toLongs);
    }
  }

  private static void toFloats(KernelCall call, DType from, DType to) {
    boolean unsigned = from.equals(DType.UINT64);
    if (Codecs.holdsInts(from) && !roundsTwice(from, to)) {
      if (to.bits() == 64) {
        convert(call, Codecs.ints(from), Codecs.wideFloat(to), Conversions::toDoubles);
      } else {
        convert(call, Codecs.ints(from), call.floatCodec(to), Conversions::toFloats);
      }
    } else if (to.bits() == 64) {
      Converter<long[], double[]> toDoubles =
          (x, y, count) -> Conversions.toDoubles(x, y, count, unsigned);
      convert(call, Codecs.integer(from), Codecs.wideFloat(to), toDoubles);
    } else if (to.bits() == 32) {
      Converter<long[], float[]> toFloats =
          (x, y, count) -> Conversions.toFloats(x, y, count, unsigned);
      convert(call, Codecs.integer(from), call.floatCodec(to), toFloats);
    } else {
      Converter<long[], double[]> toOdd =
          (x, y, count) -> Conversions.toFloats(x, y, count, unsigned, true);
      convert(call, Codecs.integer(from), Codecs.wideFloat(to), toOdd);
    }
  }

  /** Whether a float32 in between would be rounded once more. float16 is infinite by then. */
  private static boolean roundsTwice(DType from, DType to) {
    return from.bits() == 32 && to.code() == TypeCode.BFLOAT;
  }

  private interface Converter<A, B> {
    void convert(A from, B to, int count);
  }

  private interface Change<A> {
    void apply(A values, int count);
  }

  /** Converts elements of a run. */
  private interface Run {
    void apply(long fromAt, long fromStep, long toAt, long toStep, int count);
  }

  private static <A> void convert(KernelCall call, Codec<A> from, Codec<A> to) {
    convert(call, from, to, (values, count) -> {});
  }

  private static <A> void convert(KernelCall call, Codec<A> from, Codec<A> to, Change<A> change) {
    Operand x = ElementwiseKernels.stretched(call, 0);
    Operand out = Operand.of(call.output());
    run(
        call,
        x,
        out,
        length -> {
          A values = from.lanes().array(length);
          return (fromAt, fromStep, toAt, toStep, count) -> {
            from.load(x.memory(), fromAt, fromStep, values, 0, count);
            change.apply(values, count);
            to.store(values, 0, count, out.memory(), toAt, toStep);
          };
        });
  }

  private static <A, B> void convert(
      KernelCall call, Codec<A> from, Codec<B> to, Converter<A, B> converter) {
    Operand x = ElementwiseKernels.stretched(call, 0);
    Operand out = Operand.of(call.output());
    run(
        call,
        x,
        out,
        length -> {
          A values = from.lanes().array(length);
          B converted = to.lanes().array(length);
          return (fromAt, fromStep, toAt, toStep, count) -> {
            from.load(x.memory(), fromAt, fromStep, values, 0, count);
            converter.convert(values, converted, count);
            to.store(converted, 0, count, out.memory(), toAt, toStep);
          };
        });
  }

  /**
   * Runs over all elements.
   *
   * @param perTask what each piece of the work does, which runs in one thread, from the largest
   *     number of elements of a run
   */
  private static void run(KernelCall call, Operand x, Operand out, IntFunction<Run> perTask) {
    Sweep sweep = new Sweep(ElementwiseKernels.RUN, x, out);
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (first, end) -> {
          Run run = perTask.apply(sweep.runLength());
          sweep.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) -> run.apply(at[0], sweep.step(0), at[1], sweep.step(1), count));
        });
  }
}
