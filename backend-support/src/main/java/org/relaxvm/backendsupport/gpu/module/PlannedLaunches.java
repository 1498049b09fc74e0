package org.relaxvm.backendsupport.gpu.module;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.codegen.LaunchSource;
import org.relaxvm.backendsupport.gpu.codegen.LaunchSource.Parameter;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.tir.expr.Var;

/**
 * The launches of a kernel in a program, with all that is known before a call. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why is a large grid launched in parts?"
 */
final class PlannedLaunches {
  /**
   * A launch.
   *
   * @param most work-groups that one launch of it has along each axis; more take several
   * @param entries the entries of the {@link ArgumentTable} that it is given
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Launch(
      String name,
      List<Extents.Extent> workGroups,
      int workGroupSize,
      long sharedBytes,
      long[] most,
      int[] entries) {}

  /**
   * What is launched at once: all work-groups of a launch, or as many as one has.
   *
   * @param first the first work-group along each axis; none where that is the first one of all
   */
  record Part(Launch launch, WorkSize size, List<Long> first) {}

  private final GpuProgram program;
  private final String kernel;
  private final boolean wide;
  private final ArgumentTable arguments;
  private final List<Launch> launches = new ArrayList<>();

  PlannedLaunches(
      GpuModule.Code code,
      String kernel,
      boolean wide,
      ArgumentTable arguments,
      List<Var> variables) {
    this.program = code.program();
    this.kernel = kernel;
    this.wide = wide;
    this.arguments = arguments;
    for (LaunchSource launch : code.launches()) {
      List<Extents.Extent> workGroups =
          launch.workGroups().stream().map(extent -> Extents.of(extent, variables)).toList();
      launches.add(
          new Launch(
              launch.name(),
              workGroups,
              launch.workGroupSize(),
              launch.launchBytes(),
              most(launch.parameters()),
              arguments.entries(launch.parameters())));
    }
  }

  private static long[] most(List<Parameter> parameters) {
    long[] most = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    for (Parameter parameter : parameters) {
      if (parameter instanceof Parameter.FirstWorkGroup(int axis, long ofOne)) {
        most[axis] = ofOne;
      }
    }
    return most;
  }

  /** Whether indices have 64 bits. */
  boolean isWide() {
    return wide;
  }

  /** What there is to launch for values of variables, in order. */
  List<Part> parts(long[] values) {
    List<Part> parts = new ArrayList<>();
    for (Launch launch : launches) {
      long[] workGroups =
          launch.workGroups().stream().mapToLong(each -> each.value(values)).toArray();
      if (Arrays.stream(workGroups).allMatch(count -> count > 0)) {
        add(launch, workGroups, new long[workGroups.length], workGroups.length - 1, parts);
      }
    }
    return parts;
  }

  /**
   * Adds some work-groups of a launch.
   *
   * @param workGroups how many along each axis
   * @param first of them along each axis
   * @param axis along which, as along those in front of it, there may still be too many
   */
  private static void add(
      Launch launch, long[] workGroups, long[] first, int axis, List<Part> parts) {
    if (axis < 0) {
      long[] items = workGroups.clone();
      items[0] = Math.multiplyExact(items[0], launch.workGroupSize());
      boolean fromStart = Arrays.stream(first).allMatch(workGroup -> workGroup == 0);
      parts.add(
          new Part(
              launch,
              WorkSize.of(items, new long[] {launch.workGroupSize(), 1, 1}),
              fromStart ? List.of() : Arrays.stream(first).boxed().toList()));
      return;
    }
    long most = launch.most()[axis];
    for (long done = 0; done < workGroups[axis]; done += Math.min(most, workGroups[axis] - done)) {
      long[] some = workGroups.clone();
      some[axis] = Math.min(most, workGroups[axis] - done);
      long[] from = first.clone();
      from[axis] = done;
      add(launch, some, from, axis - 1, parts);
    }
  }

  /**
   * Enqueues all of them.
   *
   * @param table what they are given
   * @param parts what {@link #parts} gave
   */
  void enqueue(KernelArgument[] table, List<Part> parts, Stream stream) {
    for (Part part : parts) {
      Launch launch = part.launch();
      KernelArgument[] given = arguments.from(table, part.first(), wide);
      KernelArgument[] own = new KernelArgument[launch.entries().length];
      for (int j = 0; j < own.length; j++) {
        own[j] = given[launch.entries()[j]];
      }
      program.launch(
          launch.name(), kernel, stream, Arrays.asList(own), part.size(), launch.sharedBytes());
    }
  }
}
