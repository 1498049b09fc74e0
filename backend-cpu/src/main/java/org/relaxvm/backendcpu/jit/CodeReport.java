package org.relaxvm.backendcpu.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many kernels became machine code, and why others did not. Thread-safe. */
public final class CodeReport {
  private final Map<String, List<String>> others = new TreeMap<>();
  private int machine;

  /** A report of no kernels. */
  public CodeReport() {}

  /** Adds a kernel that became machine code. */
  public synchronized void addMachineCode() {
    machine++;
  }

  /** Adds a kernel that did not, with the reason. */
  public synchronized void addOther(String kernel, String reason) {
    others.computeIfAbsent(reason, _ -> new ArrayList<>()).add(kernel);
  }

  /** How many kernels became machine code. */
  public synchronized int machineKernels() {
    return machine;
  }

  /** The names of the kernels that did not, by reason. */
  public synchronized Map<String, List<String>> others() {
    Map<String, List<String>> copy = new TreeMap<>();
    others.forEach((reason, kernels) -> copy.put(reason, List.copyOf(kernels)));
    return copy;
  }

  /** For people: the numbers, and a line for each reason with a few names. */
  @Override
  public synchronized String toString() {
    int all = machine + others.values().stream().mapToInt(List::size).sum();
    StringBuilder text = new StringBuilder();
    text.append("machine code: %d of %d kernels".formatted(machine, all));
    others.forEach(
        (reason, kernels) -> {
          List<String> some = kernels.subList(0, Math.min(3, kernels.size()));
          text.append("\n  %d: %s (%s)".formatted(kernels.size(), reason, String.join(", ", some)));
        });
    return text.toString();
  }
}
