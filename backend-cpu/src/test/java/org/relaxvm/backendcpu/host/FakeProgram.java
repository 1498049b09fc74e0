package org.relaxvm.backendcpu.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.engine.ProgramContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/** A program of some functions on numbers, which writes down the calls. */
final class FakeProgram implements ProgramContext, ProgramCalls {
  private final Map<String, PackedFunc> functions =
      Map.of(
          "add", (args, result) -> result.setLong(args.longAt(0) + args.longAt(1)),
          "mul", (args, result) -> result.setLong(args.longAt(0) * args.longAt(1) % 1_000_003),
          "is_odd", (args, result) -> result.setBoolean((args.longAt(0) & 1) != 0),
          "half", (args, result) -> result.setDouble(args.doubleAt(0) / 2),
          "copy", (args, result) -> result.setArgument(args, 0),
          "none", (args, result) -> result.setNull(),
          "fail", FakeProgram::fail);
  private final List<String> names = functions.keySet().stream().sorted().toList();
  private final AnyList constants = AnyList.view(List.of(1L, 2L, 3L));
  private final AnyList table = AnyList.view(List.copyOf(names));
  final List<String> log = new ArrayList<>();
  int iterations;
  int mostIterations = Integer.MAX_VALUE;

  private static void fail(CallArgs args, CallResult result) {
    result.set("left behind");
    throw new IllegalStateException("it broke");
  }

  /** The arguments of a body. */
  @Nullable Object[] arguments(AnyList registers) {
    return new Object[] {this, registers, constants, table};
  }

  /** A function by its name, whose calls are written down. */
  Optional<PackedFunc> lookup(String name) {
    PackedFunc function = functions.get(name);
    return Optional.ofNullable(function)
        .map(
            found ->
                (args, result) -> {
                  log.add(
                      Arrays.stream(args.toArray())
                          .map(arg -> arg instanceof FakeProgram ? "context" : String.valueOf(arg))
                          .collect(Collectors.joining(", ", name + "(", ")")));
                  found.call(args, result);
                });
  }

  @Override
  public ProgramCalls calls() {
    return this;
  }

  @Override
  public int find(String name) {
    return names.indexOf(name);
  }

  @Override
  public void call(int function, CallArgs args, CallResult result) {
    lookup(names.get(function)).orElseThrow().call(args, result);
  }

  @Override
  public void iterate() {
    if (iterations == mostIterations) {
      throw new CallException(ErrorKind.RUNTIME, "too many");
    }
    iterations++;
  }

  @Override
  public List<Device> devices() {
    return List.of();
  }

  @Override
  public Allocator allocator(int deviceIndex) {
    return new NaiveAllocator(HostDevice.INSTANCE);
  }

  @Override
  public Stream stream(int deviceIndex) {
    return HostDevice.INSTANCE.openStream();
  }

  @Override
  public int indexOf(Device device) {
    return -1;
  }

  @Override
  public WorkerPool workers() {
    return WorkerPool.shared();
  }

  @Override
  public void invoke(@Nullable Object callee, CallArgs args, CallResult result) {
    throw new UnsupportedOperationException("the functions call nothing");
  }

  @Override
  public Optional<PackedFunc> findFunction(String name) {
    return lookup(name);
  }

  @Override
  public <T> T attachment(Class<T> type, Supplier<? extends T> factory) {
    return factory.get();
  }
}
