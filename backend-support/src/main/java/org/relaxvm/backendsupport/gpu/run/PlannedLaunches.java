package org.relaxvm.backendsupport.gpu.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.source.LaunchSource;
import org.relaxvm.backendsupport.launch.KernelArgument;
import org.relaxvm.backendsupport.launch.WorkSize;
import org.relaxvm.tir.expr.Var;

/** The launches of a kernel in a program, with all that is known before a call. Thread-safe. */
final class PlannedLaunches {
  /**
   * A launch.
   *
   * @param entries the entries of the {@link ArgumentTable} that it is given
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Launch(
      String name, List<Extents.Extent> groups, int groupSize, long groupBytes, int[] entries) {}

  private final GpuProgram program;
  private final String kernel;
  private final boolean wide;
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
    for (LaunchSource launch : code.launches()) {
      List<Extents.Extent> groups =
          launch.groups().stream().map(extent -> Extents.of(extent, variables)).toList();
      launches.add(
          new Launch(
              launch.name(),
              groups,
              launch.groupSize(),
              launch.launchBytes(),
              arguments.entries(launch.parameters())));
    }
  }

  /** Whether indices have 64 bits. */
  boolean isWide() {
    return wide;
  }

  /** The size of each launch for values of variables; null for one that has nothing to do. */
  @Nullable WorkSize[] sizes(long[] values) {
    @Nullable WorkSize[] sizes = new WorkSize[launches.size()];
    for (int i = 0; i < sizes.length; i++) {
      Launch launch = launches.get(i);
      long[] groups = new long[launch.groups().size()];
      boolean some = true;
      for (int axis = 0; axis < groups.length; axis++) {
        groups[axis] = launch.groups().get(axis).value(values);
        some &= groups[axis] > 0;
      }
      if (some) {
        groups[0] = Math.multiplyExact(groups[0], launch.groupSize());
        sizes[i] = WorkSize.of(groups, new long[] {launch.groupSize(), 1, 1});
      }
    }
    return sizes;
  }

  /**
   * Enqueues all of them.
   *
   * @param table what they are given
   * @param sizes what {@link #sizes} gave
   */
  void enqueue(KernelArgument[] table, @Nullable WorkSize[] sizes, Stream stream) {
    for (int i = 0; i < sizes.length; i++) {
      WorkSize size = sizes[i];
      if (size != null) {
        Launch launch = launches.get(i);
        KernelArgument[] arguments = new KernelArgument[launch.entries().length];
        for (int j = 0; j < arguments.length; j++) {
          arguments[j] = table[launch.entries()[j]];
        }
        program.launch(
            launch.name(), kernel, stream, Arrays.asList(arguments), size, launch.groupBytes());
      }
    }
  }
}
