package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.relaxvm.api.error.LinkException;

@ResourceLock("org.relaxvm.api.Functions")
class FunctionsTest {
  private static final PackedFunc TWICE = (args, result) -> result.setLong(2 * args.longAt(0));

  @AfterEach
  void removeAll() {
    Functions.list().forEach(Functions::remove);
  }

  @Test
  void aRegisteredFunctionIsCalledWithValues() {
    Functions.register("test.twice", TWICE);
    try (Value doubled = Functions.get("test.twice").invoke(21)) {
      assertThat(doubled.asLong()).isEqualTo(42);
    }
  }

  @Test
  void aFunctionOfBoxedValuesIsRegisteredAsItIs() {
    Functions.register("test.join", args -> args[0] + "/" + args[1]);
    try (Value joined = Functions.get("test.join").invoke("a", 1.5)) {
      assertThat(joined.object()).isEqualTo("a/1.5");
    }
  }

  @Test
  void namesAreListedSortedAndRemoved() {
    Functions.register("test.b", TWICE);
    Functions.register("test.a", TWICE);
    assertThat(Functions.list()).containsExactly("test.a", "test.b");
    assertThat(Functions.remove("test.b")).containsSame(TWICE);
    assertThat(Functions.remove("test.b")).isEmpty();
    assertThat(Functions.find("test.b")).isEmpty();
    assertThat(Functions.list()).containsExactly("test.a");
  }

  @Test
  void aNameIsRegisteredOnceUnlessItIsReplaced() {
    Functions.register("test.twice", TWICE);
    PackedFunc other = (args, result) -> result.setNull();
    assertThatThrownBy(() -> Functions.register("test.twice", other))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "function 'test.twice' is already registered in this process\n"
                + "  what to do: choose another name, remove it with"
                + " Functions.remove(\"test.twice\"), or replace it with Functions.replace");
    assertThat(Functions.get("test.twice")).isSameAs(TWICE);
    assertThat(Functions.replace("test.twice", other)).containsSame(TWICE);
    assertThat(Functions.get("test.twice")).isSameAs(other);
    assertThat(Functions.replace("test.new", other)).isEmpty();
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThatThrownBy(() -> Functions.register("", TWICE))
        .isInstanceOf(LinkException.class)
        .hasMessage("the name of a function is empty");
    assertThatThrownBy(() -> Functions.replace("", TWICE))
        .isInstanceOf(LinkException.class)
        .hasMessage("the name of a function is empty");
  }

  @Test
  void aMissingFunctionIsReportedWithThoseThatExist() {
    assertThatThrownBy(() -> Functions.get("test.none"))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "no function 'test.none' is registered in this process\n"
                + "  registered: none\n"
                + "  what to do: register it with Functions.register(\"test.none\", function)");
    Functions.register("test.a", TWICE);
    Functions.register("test.b", TWICE);
    assertThatThrownBy(() -> Functions.get("test.none"))
        .hasMessageContaining("\n  registered: test.a, test.b\n");
  }

  @Test
  void ofManyThreadsOneRegistersAName() {
    ConcurrentLinkedQueue<Integer> registered = new ConcurrentLinkedQueue<>();
    List<PackedFunc> functions =
        IntStream.range(0, 64)
            .<PackedFunc>mapToObj(i -> (args, result) -> result.setLong(i))
            .toList();
    IntStream.range(0, 64)
        .parallel()
        .forEach(
            i -> {
              try {
                Functions.register("test.race", functions.get(i));
                registered.add(i);
              } catch (LinkException e) {
                assertThat(e).hasMessageStartingWith("function 'test.race' is already registered");
              }
            });
    assertThat(registered).hasSize(1);
    assertThat(Functions.get("test.race")).isSameAs(functions.get(registered.element()));
  }
}
