package org.relaxvm.backendcpu.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.machine.x64.Feature;

/** Calls kernels as a VM does: by name, through the device's library. */
final class Kernels {
  private Kernels() {}

  static PackedFunc find(String name) {
    BackendProvider cpu =
        ServiceLoader.load(BackendProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("cpu"))
            .findFirst()
            .orElseThrow();
    return cpu.open().devices().getFirst().library().find("relaxvm." + name).orElseThrow();
  }

  static void call(String name, @Nullable Object... args) {
    find(name).invoke(args).close();
  }

  static void callIn(VmContext context, String name, @Nullable Object... args) {
    find(name).call(CallArgs.of(context, args), new CallResult());
  }

  /** The sets of instructions for which this machine can run code, by name. */
  static Map<String, Set<Feature>> machineCode() {
    Map<String, Set<Feature>> sets = new LinkedHashMap<>();
    MachineCode code = MachineCode.current();
    if (code.isAvailable()) {
      sets.put("machine code", code.features());
      sets.put("machine code for AVX2", Feature.x86V3());
    } else {
      System.out.println("no machine code is tested: " + code.reason());
    }
    return sets;
  }

  /** A generator whose seed is printed, and can be given. */
  static Random random(Class<?> test) {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println(test.getSimpleName() + ": -Drelaxvm.seed=" + seed);
    return new Random(seed);
  }
}
