package org.relaxvm.backendcpu.substitution;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Stage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The stages of a kernel that compute a buffer from parameters.
 *
 * @param inside those stages; nothing else works on what they write but for the end
 * @param made memory of the kernel that only they use
 */
record ProductPart(
    PrimFunc kernel, List<Stage> stages, Set<Stage> inside, Set<Buffer> made, Buffer end) {

  /**
   * The part that ends with a buffer.
   *
   * @param product must be computed by the way, or be the end
   * @return empty when other stages need more of it than the end, or work on the same memory
   */
  static Optional<ProductPart> of(KernelAnalysis analysis, Buffer product, Buffer end) {
    PrimFunc kernel = analysis.kernel();
    List<Stage> stages = analysis.stages();
    Set<Stage> inside = new LinkedHashSet<>();
    List<Buffer> wanted = new ArrayList<>(List.of(end));
    for (int i = 0; i < wanted.size(); i++) {
      for (Stage writer : analysis.writers(wanted.get(i))) {
        if (inside.add(writer)) {
          writer.reads().stream()
              .filter(buffer -> !kernel.buffers().contains(buffer) && !wanted.contains(buffer))
              .forEach(wanted::add);
        }
      }
    }
    Set<Buffer> made = new LinkedHashSet<>();
    inside.forEach(stage -> made.addAll(stage.writes()));
    made.remove(end);
    boolean apart =
        stages.stream()
            .filter(stage -> !inside.contains(stage))
            .allMatch(stage -> made.stream().noneMatch(buffer -> stage.uses(buffer)));
    boolean fits =
        apart
            && made.stream().noneMatch(kernel.buffers()::contains)
            && inside.containsAll(analysis.writers(product))
            && analysis.isWrittenOnce(product)
            && analysis.isWrittenOnce(end)
            && isPlain(end)
            && inside.stream().noneMatch(stage -> stage.blocks().isEmpty());
    return fits
        ? Optional.of(new ProductPart(kernel, stages, inside, made, end))
        : Optional.empty();
  }

  private static boolean isPlain(Buffer buffer) {
    return buffer.strides().isEmpty() && buffer.elemOffset().equals(IntImm.of(0));
  }

  private Block root() {
    return ((BlockRealize) kernel.body()).block();
  }

  /** A kernel of these stages alone, with the end as the last parameter if it was none. */
  PrimFunc alone() {
    List<Param> params = new ArrayList<>(kernel.params());
    if (!kernel.buffers().contains(end)) {
      params.add(new Param.OfBuffer(end));
    }
    List<Buffer> memory = root().allocBuffers().stream().filter(made::contains).toList();
    Stmt body = Seq.of(stages.stream().filter(inside::contains).map(Stage::statement).toList());
    return new PrimFunc(
        kernel.name(), params, DType.VOID, Block.root(memory, body), kernel.attrs());
  }

  /**
   * The kernel with a call instead of these stages.
   *
   * @param call in terms of the parameters of the kernel of these stages alone
   */
  Optional<SplitKernel> replaced(LibraryCall call) {
    List<Param> params = alone().params();
    List<Buffer> passed =
        call.tensors().stream().map(i -> ((Param.OfBuffer) params.get(i)).buffer()).toList();
    List<Buffer> inputs = passed.subList(0, passed.size() - 1);
    if (inputs.contains(end)) {
      return Optional.empty();
    }
    return place(inputs)
        .map(
            place -> {
              List<Stmt> statements = new ArrayList<>();
              for (int i = 0; i <= stages.size(); i++) {
                if (i == place) {
                  statements.add(statement(passed));
                }
                if (i < stages.size() && !inside.contains(stages.get(i))) {
                  statements.add(stages.get(i).statement());
                }
              }
              return new SplitKernel(with(statements), call, call.ofTensors());
            });
  }

  /** In front of which stage the call finds its inputs: as early as can be. */
  private Optional<Integer> place(List<Buffer> inputs) {
    List<Integer> own =
        IntStream.range(0, stages.size())
            .filter(i -> inside.contains(stages.get(i)))
            .boxed()
            .toList();
    int place = 0;
    for (int i = 0; i < own.getLast(); i++) {
      Stage stage = stages.get(i);
      if (!inside.contains(stage) && (stage.uses(end) || inputs.stream().anyMatch(stage::writes))) {
        place = i + 1;
      }
    }
    return place <= own.getFirst() ? Optional.of(place) : Optional.empty();
  }

  /** The call as a stage that says what it reads and writes. */
  private Stmt statement(List<Buffer> passed) {
    List<BufferRegion> regions = passed.stream().map(AccessRegions::whole).toList();
    List<PackedArg> args = passed.stream().<PackedArg>map(PackedArg.OfBuffer::new).toList();
    Block block =
        new Block(
            lastWriter().blocks().getLast(),
            List.of(),
            regions.subList(0, regions.size() - 1),
            List.of(regions.getLast()),
            List.of(),
            Optional.empty(),
            new CallPacked(SplitKernel.FUNCTION, args),
            Map.of());
    return BlockRealize.always(block, List.of());
  }

  private Stage lastWriter() {
    return stages.stream().filter(stage -> stage.writes(end)).toList().getLast();
  }

  private PrimFunc with(List<Stmt> statements) {
    Block root = root();
    Block changed =
        new Block(
            root.name(),
            root.iterVars(),
            root.reads(),
            root.writes(),
            root.allocBuffers().stream().filter(buffer -> !made.contains(buffer)).toList(),
            root.init(),
            Seq.of(statements),
            root.annotations());
    Map<String, Object> attrs = new LinkedHashMap<>(kernel.attrs());
    attrs.remove(LibraryHint.FUNCTION);
    attrs.remove(LibraryHint.ARGS);
    return kernel.withBody(BlockRealize.always(changed, List.of())).withAttrs(attrs);
  }
}
