package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.NameFilter;
import org.relaxvm.testsupport.SampleSeed;
import org.slf4j.LoggerFactory;

/**
 * The kernels: written by hand for what the kernel IR has, and one of each operator for each dtype
 * with symbolic extents, and for some with constant ones. The evaluator says what they give.
 */
public final class KernelCorpus {
  private KernelCorpus() {}

  /** All kernels, each with another name; made anew. */
  public static List<KernelCase> kernels() {
    return families().values().stream().flatMap(List::stream).toList();
  }

  /** All kernels by the name of their family; made anew. */
  public static Map<String, List<KernelCase>> families() {
    Map<String, List<KernelCase>> families = new LinkedHashMap<>();
    add(families, "written", WrittenCases::addTo);
    add(families, "elementwise", ElementwiseCases::addTo);
    add(families, "movement", MovementCases::addTo);
    add(families, "index maps", IndexMapCases::addTo);
    add(families, "lookup", LookupCases::addTo);
    add(families, "neural", NeuralCases::addTo);
    add(families, "windows", WindowCases::addTo);
    add(families, "images", ImageCases::addTo);
    add(families, "attention", AttentionCases::addTo);
    add(families, "recurrent", RecurrentCases::addTo);
    add(families, "low bits", LowBitCases::addTo);
    return families;
  }

  private static void add(
      Map<String, List<KernelCase>> families, String name, Consumer<CaseList> adder) {
    CaseList list = new CaseList();
    adder.accept(list);
    families.put(name, list.cases());
  }

  /** The kernels that {@code -Drelaxvm.kernel=} chooses by name. */
  public static NameFilter filter() {
    return NameFilter.of("relaxvm.kernel");
  }

  /**
   * Kernels for a test that need not see all of them in each run: those that {@link #filter()}
   * selects by name; otherwise a sample at quick effort and all at higher effort. A seed selects
   * the sample, {@code -Drelaxvm.seed=}; it is logged.
   *
   * @param test whose sample it is
   * @param size the number of kernels at quick effort
   */
  public static List<KernelCase> sample(Class<?> test, int size) {
    return sample(test, size, Integer.MAX_VALUE);
  }

  /**
   * As {@link #sample(Class, int)}, for a test that is too slow for all kernels at full effort.
   *
   * @param test whose sample it is
   * @param quick the number of kernels at quick effort
   * @param full the number of kernels at full effort; at long effort it is all of them
   */
  public static List<KernelCase> sample(Class<?> test, int quick, int full) {
    List<KernelCase> kernels = new ArrayList<>(kernels());
    NameFilter filter = filter();
    int size = Effort.chosen().pick(quick, full, Integer.MAX_VALUE);
    if (filter.isGiven()) {
      kernels.removeIf(kernel -> !filter.matches(kernel.name()));
    } else if (size < kernels.size()) {
      long seed = SampleSeed.chosen();
      LoggerFactory.getLogger(test).info("{} kernels of the corpus, -Drelaxvm.seed={}", size, seed);
      kernels.sort(Comparator.comparing(KernelCase::name));
      Collections.shuffle(kernels, new Random(seed));
      kernels = kernels.subList(0, size);
    }
    return List.copyOf(kernels);
  }
}
