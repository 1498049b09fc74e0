package org.relaxvm.interoptvm.functions;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.DTypeSet;

/**
 * {@code tvm.contrib.random.*}. Every thread has a generator of its own, started with the time;
 * functions that are given seeds other than two zeros start a new one with them.
 */
final class RandomFunctions {
  private static final String PREFIX = "tvm.contrib.random.";

  // What fills tensors is far from 0, so that no integer is 0.
  private static final double LEAST = 8;
  private static final double SPAN = 8;

  private final ThreadLocal<MersenneTwister> generators =
      ThreadLocal.withInitial(() -> new MersenneTwister((int) (System.currentTimeMillis() / 1000)));

  Map<String, PackedFunc> functions() {
    return Map.of(
        PREFIX + "uniform", this::uniform,
        PREFIX + "normal", this::normal,
        PREFIX + "randint", this::randint,
        PREFIX + "random_fill", (args, _) -> fill("random_fill", args),
        PREFIX + "random_fill_for_measure", (args, _) -> fill("random_fill_for_measure", args),
        PREFIX + "seed", this::seed);
  }

  private void seed(CallArgs args, CallResult result) {
    args.requireCount(PREFIX + "seed(seed)", 1);
    generators.get().seed((int) args.longAt(0));
  }

  private void uniform(CallArgs args, CallResult result) {
    Sample sample = sample("uniform", "low, high", args);
    float low = (float) sample.first();
    float high = (float) sample.second();
    if (!(high > low)) {
      throw new CallException(
          ErrorKind.VALUE, "high must be bigger than low, but got " + high + " and " + low);
    }
    MemorySegment memory = sample.memory();
    for (long at = 0; at < memory.byteSize(); at += Float.BYTES) {
      float value = sample.generator().nextFloat() * (high - low) + low;
      Numbers.write(DType.FLOAT32, memory, at, (double) value);
    }
  }

  private void normal(CallArgs args, CallResult result) {
    Sample sample = sample("normal", "loc, scale", args);
    float mean = (float) sample.first();
    float deviation = (float) sample.second();
    if (!(deviation > 0)) {
      throw new CallException(
          ErrorKind.VALUE, "standard deviation must be positive, but got " + deviation);
    }
    NormalNumbers numbers = new NormalNumbers(sample.generator());
    MemorySegment memory = sample.memory();
    for (long at = 0; at < memory.byteSize(); at += Float.BYTES) {
      float value = numbers.next() * deviation + mean;
      Numbers.write(DType.FLOAT32, memory, at, (double) value);
    }
  }

  private record Sample(
      double first, double second, MemorySegment memory, MersenneTwister generator) {}

  /** Reads the arguments of a distribution: the output is first or last, seeds may be given. */
  private Sample sample(String name, String parameters, CallArgs args) {
    boolean seeded = args.count() == 5;
    boolean outputFirst = args.count() > 0 && args.ref(0) instanceof Tensor;
    args.requireCount(PREFIX + name + "([seed, seed2,] " + parameters + ", out)", seeded ? 5 : 3);
    int first = outputFirst ? 1 : 0;
    MersenneTwister generator =
        seeded ? generator(args.longAt(first), args.longAt(first + 1)) : generators.get();
    int values = seeded ? first + 2 : first;
    int output = outputFirst ? 0 : args.count() - 1;
    Tensor out = HostTensors.output(PREFIX + name, args, output);
    if (!out.dtype().equals(DType.FLOAT32) || !out.isContiguous()) {
      throw HostTensors.refusal(
          PREFIX + name, output, "must be float32 without strides, but is " + describe(out));
    }
    return new Sample(args.doubleAt(values), args.doubleAt(values + 1), out.segment(), generator);
  }

  private MersenneTwister generator(long seed, long seed2) {
    return seed == 0 && seed2 == 0 ? generators.get() : new MersenneTwister((int) (seed ^ seed2));
  }

  private void randint(CallArgs args, CallResult result) {
    String name = PREFIX + "randint";
    args.requireCount(name + "(low, high, out)", 3);
    Tensor out = HostTensors.output(name, args, 2);
    DType dtype = out.dtype();
    if (!dtype.isInteger() || !dtype.isByteAligned() || dtype.bits() > 32 || !out.isContiguous()) {
      throw HostTensors.refusal(
          name, 2, "must be of integers of 8 to 32 bits without strides, but is " + describe(out));
    }
    boolean signed = dtype.code() == TypeCode.INT;
    long least = signed ? -1L << (dtype.bits() - 1) : 0;
    long low = Math.max(args.longAt(0), least);
    long high = Math.min(args.longAt(1), least + (1L << dtype.bits()));
    if (high <= low) {
      throw new CallException(
          ErrorKind.VALUE,
          "high must be bigger than low, but got "
              + args.longAt(1)
              + " and "
              + args.longAt(0)
              + " for "
              + dtype);
    }
    MersenneTwister generator = generators.get();
    MemorySegment memory = out.segment();
    for (long at = 0; at < memory.byteSize(); at += dtype.elementByteSize()) {
      Numbers.write(dtype, memory, at, low + generator.nextUnsigned() % (high - low));
    }
  }

  /** Fills a tensor on any device with numbers of its type from 8 to below 16. */
  private void fill(String name, CallArgs args) {
    args.requireCount(PREFIX + name + "(out)", 1);
    Tensor out = args.tensorAt(0);
    if (out.device().isHost() && out.isContiguous()) {
      HostTensors.output(PREFIX + name, args, 0);
      fill(PREFIX + name, out);
      return;
    }
    Tensor local = Tensor.zeros(out.dtype(), out.shape());
    fill(PREFIX + name, local);
    VmContext vm = args.contextOrNull();
    int device = vm == null ? -1 : vm.indexOf(out.device());
    if (vm != null && device >= 0) {
      // What was submitted before may still use the elements.
      vm.stream(device).synchronize();
    }
    local.copyInto(out);
  }

  private void fill(String name, Tensor out) {
    DType dtype = out.dtype();
    boolean truth = dtype.equals(DType.BOOL);
    boolean packed = dtype.isInteger() && dtype.bits() == 4;
    if (!truth && !packed && !DTypeSet.NUMBERS.contains(dtype)) {
      throw HostTensors.refusal(name, 0, "must be of numbers or booleans, but is " + describe(out));
    }
    // Two numbers of 4 bits share a byte.
    DType stored = truth || packed ? DType.UINT8 : dtype;
    MersenneTwister generator = generators.get();
    MemorySegment memory = out.segment();
    for (long at = 0; at < memory.byteSize(); at += stored.elementByteSize()) {
      double value = truth ? 1 : generator.nextDouble() * SPAN + LEAST;
      Numbers.write(stored, memory, at, value);
    }
  }

  private static String describe(Tensor tensor) {
    return tensor.dtype()
        + tensor.shape().toString()
        + (tensor.isContiguous() ? "" : " with strides");
  }
}
