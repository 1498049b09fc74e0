package org.relaxvm.api.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.parallel.WorkerPool;

/** Which processors workers may use, as the kernel tells. */
@Isolated("pools of other tests would be pinned")
class ThreadAffinityTest {
  private List<Integer> allowed = List.of();

  @BeforeEach
  void requireTwoProcessors() {
    if (LinuxCalls.areAllowed()) {
      allowed =
          ThreadAffinity.ofThread((int) ProcessHandle.current().pid()).stream().boxed().toList();
    }
    if (allowed.size() < 2) {
      System.out.println("skipped: threads are pinned on Linux, with two processors or more");
    }
    assumeTrue(allowed.size() >= 2, "no Linux, or one processor");
  }

  @AfterEach
  void clear() {
    System.clearProperty(ThreadAffinity.SETTING);
  }

  /** The list of processors of the calling thread, such as {@code 0-3,7}. */
  private static String ofCaller() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What each thread of a pool says, the caller first. */
  private static List<String> ofThreads(WorkerPool pool) {
    String[] lists = new String[pool.parallelism()];
    pool.runGang(lists.length, (index, _) -> lists[index] = ofCaller());
    return List.of(lists);
  }

  @Test
  void eachWorkerHasAProcessorOfItsOwn() {
    String caller = ofCaller();
    System.setProperty(ThreadAffinity.SETTING, "true");
    int threads = Math.min(4, allowed.size());
    try (WorkerPool pool = WorkerPool.ofThreads(threads)) {
      List<String> lists = ofThreads(pool);
      assertThat(lists.getFirst()).as("the caller").isEqualTo(caller);
      List<String> expected = new ArrayList<>();
      for (int i = 1; i < threads; i++) {
        expected.add(allowed.get(i).toString());
      }
      assertThat(lists.subList(1, threads)).containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(ofCaller()).isEqualTo(caller);
  }

  @Test
  void withoutTheSettingNoThreadIsPinned() {
    String caller = ofCaller();
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      assertThat(ofThreads(pool)).containsExactly(caller, caller);
    }
  }

  @Test
  void aPoolThatAPinnedWorkerMakesHasTheProcessorsOfTheProcess() {
    System.setProperty(ThreadAffinity.SETTING, "true");
    List<String> inner = new ArrayList<>();
    try (WorkerPool outer = WorkerPool.ofThreads(2)) {
      outer.runGang(
          2,
          (index, _) -> {
            if (index == 1) {
              try (WorkerPool pool = WorkerPool.ofThreads(2)) {
                inner.addAll(ofThreads(pool));
              }
            }
          });
    }
    assertThat(inner).containsExactly(allowed.get(1).toString(), allowed.get(1).toString());
  }

  @Test
  void aPoolOfMoreThreadsThanProcessorsIsNotPinned() {
    String caller = ofCaller();
    System.setProperty(ThreadAffinity.SETTING, "true");
    try (WorkerPool pool = WorkerPool.ofThreads(allowed.size() + 1)) {
      assertThat(ofThreads(pool)).containsOnly(caller);
    }
  }

  @Test
  void theSystemTellsTheProcessorsOfAThread() {
    BitSet own = ThreadAffinity.ofThread(0);
    assertThat(own.cardinality()).isPositive();
    assertThat(ofCaller()).contains(Integer.toString(own.nextSetBit(0)));
    assertThat(ThreadAffinity.ofThread(Integer.MAX_VALUE).isEmpty()).as("no such thread").isTrue();
  }
}
