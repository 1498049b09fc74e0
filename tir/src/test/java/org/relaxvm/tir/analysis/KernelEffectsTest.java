package org.relaxvm.tir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Which parameters a kernel writes. */
class KernelEffectsTest {
  private static final List<PrimExpr> FIRST = List.of(IntImm.of(0));

  private final Buffer a = buffer("a");
  private final Buffer b = buffer("b");
  private final Buffer c = buffer("c");

  private static Buffer buffer(String name) {
    return Buffer.of(name, DType.FLOAT32, List.of(IntImm.of(4)));
  }

  private CallEffects effects(Stmt... body) {
    return KernelEffects.of(PrimFunc.of("kernel", List.of(a, b, c), new Seq(List.of(body))));
  }

  private static Stmt copy(Buffer from, Buffer to) {
    return new BufferStore(to, new BufferLoad(from, FIRST), FIRST);
  }

  private static Stmt call(String name, PackedArg... args) {
    return new CallPacked(name, List.of(args));
  }

  @Test
  void buffersThatAreStoredToAreWritten() {
    assertThat(effects(copy(a, b))).isEqualTo(CallEffects.writing(Set.of(1)));
    assertThat(effects(copy(a, b), copy(b, c))).isEqualTo(CallEffects.writing(Set.of(1, 2)));
    assertThat(effects(copy(a, a))).isEqualTo(CallEffects.writing(Set.of(0)));
  }

  @Test
  void outputsOfTheKernelLibraryAreWritten() {
    Stmt relu = call("relaxvm.relu", new PackedArg.OfBuffer(a), new PackedArg.OfBuffer(c));
    assertThat(effects(relu)).isEqualTo(CallEffects.writing(Set.of(2)));
  }

  @Test
  void nothingIsKnownOfAKernelThatCallsAnotherFunction() {
    assertThat(effects(copy(a, b), call("print", new PackedArg.OfBuffer(a))))
        .isEqualTo(CallEffects.UNKNOWN);
  }
}
