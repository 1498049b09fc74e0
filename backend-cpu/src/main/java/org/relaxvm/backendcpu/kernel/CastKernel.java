package org.relaxvm.backendcpu.kernel;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Conversions;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/** Conversion between dtypes: by way of doubles and longs where there are 64 bits. */
public final class CastKernel {
  private CastKernel() {}

  /** {@code relaxvm.cast}. */
  public static void run(KernelCall call) {
    call.requireBroadcast(0, call.output().shape());
    DType from = call.tensor(0).dtype();
    DType to = call.output().dtype();
    if (isNarrow(from) && isNarrow(to) && !roundsTwice(from, to)) {
      narrow(call, from, to);
    } else if (from.isFloat() && to.isFloat()) {
      Codec<double[]> in = Codecs.wideFloat(from);
      Codec<double[]> out = Codecs.wideFloat(to);
      convert(call, in, out, (x, y, count) -> System.arraycopy(x, 0, y, 0, count));
    } else if (from.isFloat()) {
      Codec<long[]> out = Codecs.integer(to);
      convert(
          call,
          Codecs.wideFloat(from),
          out,
          (x, y, count) -> Conversions.toIntegers(x, y, count, out));
    } else if (to.isFloat()) {
      boolean unsigned = from.code() == TypeCode.UINT && from.bits() == 64;
      convert(
          call,
          Codecs.integer(from),
          Codecs.wideFloat(to),
          (x, y, count) -> Conversions.toFloats(x, y, count, unsigned, to.bits() < 64));
    } else {
      convert(
          call,
          Codecs.integer(from),
          Codecs.integer(to),
          (x, y, count) -> System.arraycopy(x, 0, y, 0, count));
    }
  }

  private static boolean isNarrow(DType dtype) {
    return dtype.isFloat() ? dtype.bits() <= 32 : Codecs.holdsInts(dtype);
  }

  /** Whether a float32 in between would be rounded once more. float16 is infinite by then. */
  private static boolean roundsTwice(DType from, DType to) {
    return !from.isFloat() && from.bits() == 32 && to.code() == TypeCode.BFLOAT;
  }

  /** Conversion by way of floats and ints, of which vectors hold twice as many. */
  private static void narrow(KernelCall call, DType from, DType to) {
    if (from.isFloat() && to.isFloat()) {
      Converter<float[], float[]> copy = (x, y, count) -> System.arraycopy(x, 0, y, 0, count);
      convert(call, call.floatCodec(from), call.floatCodec(to), copy);
    } else if (from.isFloat()) {
      Codec<int[]> out = Codecs.ints(to);
      Converter<float[], int[]> toInts = (x, y, count) -> Conversions.toInts(x, y, count, out);
      convert(call, call.floatCodec(from), out, toInts);
    } else if (to.isFloat()) {
      convert(call, Codecs.ints(from), call.floatCodec(to), Conversions::toFloats);
    } else {
      Codec<int[]> out = Codecs.ints(to);
      Converter<int[], int[]> toInts = (x, y, count) -> Conversions.toInts(x, y, count, out);
      convert(call, Codecs.ints(from), out, toInts);
    }
  }

  private interface Converter<A, B> {
    void convert(A from, B to, int count);
  }

  private static <A, B> void convert(
      KernelCall call, Codec<A> from, Codec<B> to, Converter<A, B> converter) {
    Operand x = ElementwiseKernels.stretched(call, 0);
    Operand out = Operand.of(call.output());
    Sweep sweep = new Sweep(ElementwiseKernels.RUN, x, out);
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (first, end) -> {
          A values = from.lanes().array(sweep.runLength());
          B converted = to.lanes().array(sweep.runLength());
          sweep.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) -> {
                    from.load(x.memory(), at[0], sweep.step(0), values, 0, count);
                    converter.convert(values, converted, count);
                    to.store(converted, 0, count, out.memory(), at[1], sweep.step(1));
                  });
        });
  }
}
