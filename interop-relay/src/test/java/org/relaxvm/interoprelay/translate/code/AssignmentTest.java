package org.relaxvm.interoprelay.translate.code;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  @Test
  void aHighRegisterNumberCostsNoMemoryInEachBlock() {
    int registers = 1 << 24;
    CodeGraph graph = new CodeGraph("main", 0, List.of(), registers);
    int last = CodeGraph.ENTRY;
    for (int i = 0; i < 200; i++) {
      int next = graph.newBlock();
      graph.block(last).exit(new Exit.Jump(next));
      last = next;
    }
    graph.block(last).exit(new Exit.Return(registers - 1));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Assignment.complete(graph);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    assertThat(graph.entry().calls()).containsExactly(Call.clear(registers - 1));
  }
}
