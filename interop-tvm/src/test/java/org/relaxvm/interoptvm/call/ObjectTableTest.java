package org.relaxvm.interoptvm.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which Java object an address stands for. */
class ObjectTableTest {
  /** An address inside of a block, as compiled code may compute one, stands for nothing. */
  @Test
  void onlyTheStartOfABlockStandsForAnObject() {
    ObjectTable table = new ObjectTable();
    long address = table.add("text", false);
    long next = table.add("other", false);
    assertThat(table.holds(address)).isTrue();
    assertThat(table.holds(next)).isTrue();
    for (long inside = address + 1; inside < next; inside++) {
      assertThat(table.holds(inside)).as("offset %d", inside - address).isFalse();
    }
  }
}
