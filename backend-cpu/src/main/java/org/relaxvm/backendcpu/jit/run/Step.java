package org.relaxvm.backendcpu.jit.run;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.parallel.WorkerPool;

/** A part of the outer structure of a kernel. Immutable and thread-safe. */
sealed interface Step {
  /** Does nothing. */
  Step NOTHING = new Sequence(List.of());

  /**
   * Runs the step.
   *
   * @return whether the kernel has returned, so that no other step may run
   */
  boolean run(Frame frame);

  /** Steps one after the other. */
  record Sequence(List<Step> steps) implements Step {
    /** Copies the list. */
    public Sequence {
      steps = List.copyOf(steps);
    }

    @Override
    public boolean run(Frame frame) {
      for (int i = 0; i < steps.size(); i++) {
        if (steps.get(i).run(frame)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Runs code once. */
  record Run(int entry) implements Step {
    @Override
    public boolean run(Frame frame) {
      frame.kernel().entry(entry).run(frame, 0, 0);
      return false;
    }
  }

  /** Writes a value to a word of the block. */
  record Assign(int offset, Value value) implements Step {
    @Override
    public boolean run(Frame frame) {
      frame.set(offset, value.in(frame.block()));
      return false;
    }
  }

  /** One of two steps. */
  record Branch(Value condition, Step whenTrue, Step whenFalse) implements Step {
    @Override
    public boolean run(Frame frame) {
      return (condition.in(frame.block()) != 0 ? whenTrue : whenFalse).run(frame);
    }
  }

  /** A loop whose counter is a word of the block. */
  record Loop(int counter, Value min, Value extent, Step body) implements Step {
    @Override
    public boolean run(Frame frame) {
      long from = min.in(frame.block());
      return run(frame, counter, from, from + extent.in(frame.block()), body);
    }

    static boolean run(Frame frame, int counter, long from, long to, Step body) {
      for (long i = from; i < to; i++) {
        frame.set(counter, i);
        if (body.run(frame)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * A loop whose iterations may run on many threads.
   *
   * @param grain how many iterations are worth a thread
   * @param prologue what each range runs first, such as allocations
   */
  record Parallel(Value min, Value extent, Value grain, Step prologue, Body body) implements Step {
    @Override
    public boolean run(Frame frame) {
      long from = min.in(frame.block());
      long count = extent.in(frame.block());
      if (count <= 0) {
        return false;
      }
      long piece = Math.max(1, grain.in(frame.block()));
      var context = frame.contextOrNull();
      WorkerPool pool = context == null ? null : context.workers();
      if (pool == null || count <= piece) {
        runRange(frame, from, from + count);
      } else {
        if (frame.kernel().needsMemory()) {
          // The context belongs to the calling thread.
          frame.memory();
        }
        pool.parallelFor(
            from,
            from + count,
            piece,
            (begin, end) -> {
              try (Frame range = frame.forRange()) {
                runRange(range, begin, end);
              }
            });
      }
      return false;
    }

    private void runRange(Frame frame, long begin, long end) {
      prologue.run(frame);
      body.run(frame, begin, end);
    }
  }

  /** What a range of a parallel loop runs. */
  sealed interface Body {
    /** Runs the iterations from {@code begin} to {@code end}, the latter excluded. */
    void run(Frame frame, long begin, long end);
  }

  /** Code that has the loop. */
  record CodeBody(int entry) implements Body {
    @Override
    public void run(Frame frame, long begin, long end) {
      frame.kernel().entry(entry).run(frame, begin, end);
    }
  }

  /** Steps that run for each iteration. */
  record StepBody(int counter, Step step) implements Body {
    @Override
    public void run(Frame frame, long begin, long end) {
      Loop.run(frame, counter, begin, end, step);
    }
  }

  /**
   * Gives a buffer memory until the end of the frame.
   *
   * @param number of the allocation
   * @param offset of the word with the address
   */
  record Allocate(int number, int offset, Value elements, int elementBytes) implements Step {
    @Override
    public boolean run(Frame frame) {
      frame.set(offset, frame.allocate(number, elements.in(frame.block()), elementBytes));
      return false;
    }
  }

  /** Calls a function by name. */
  record Invoke(int function, List<PackedArgument> args) implements Step {
    /** Copies the list. */
    public Invoke {
      args = List.copyOf(args);
    }

    @Override
    public boolean run(Frame frame) {
      PackedArgument.call(frame, function, args);
      return false;
    }
  }

  /** Ends the kernel with a result. */
  record Return(Value value, DType dtype) implements Step {
    @Override
    public boolean run(Frame frame) {
      frame.setResult(PackedArgument.box(value.in(frame.block()), dtype));
      return true;
    }
  }
}
