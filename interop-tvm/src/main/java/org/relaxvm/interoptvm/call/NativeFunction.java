package org.relaxvm.interoptvm.call;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * A function of a native library. Tensors on the host are passed without a copy where they lie
 * compact on a boundary of 64 bytes, and through a copy otherwise.
 *
 * <p>Source: docs/spec/native-library.md, section 3. Thread-safe; the library must stay loaded
 * during calls.
 */
public final class NativeFunction implements PackedFunc {
  private final String name;
  private final MemorySegment address;
  private final Binding binding;

  /**
   * A function at an address.
   *
   * @param name for messages
   * @param binding what its code may call
   */
  public NativeFunction(String name, MemorySegment address, Binding binding) {
    this.name = name;
    this.address = address;
    this.binding = binding;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    binding.requireOpen(name);
    NativeThread thread = NativeThread.current();
    CallMemory memory = thread.memory;
    ObjectTable objects = thread.objects;
    int chunk = memory.chunk();
    long top = memory.top();
    int objectCount = objects.count();
    int objectChunk = objects.chunk();
    long objectTop = objects.top();
    int copies = thread.copies.size();
    int workspaces = thread.workspace.inUse();
    Binding outerBinding = thread.binding;
    VmContext outerContext = thread.context;
    thread.binding = binding;
    thread.context = args.contextOrNull();
    boolean done = false;
    try {
      int count = args.count();
      long cells = CellWriter.writeArguments(thread, args);
      long resultCell = cells + (long) count * Cell.BYTES;
      thread.error.clear();
      if (binding.stackRoom().call(thread, address, cells, count, resultCell) != 0) {
        thread.workspace.freeDownTo(workspaces);
        throw thread.error.raise();
      }
      if (Cell.type(resultCell) != TypeIndex.NONE) {
        CellReader.takeResult(thread, resultCell, result);
      }
      if (thread.copies.size() > copies) {
        finishCopies(thread, copies);
      }
      done = true;
    } finally {
      thread.binding = outerBinding;
      thread.context = outerContext;
      memory.release(chunk, top);
      if (!done) {
        dropCopies(thread, copies);
      }
      objects.release(objectCount, objectChunk, objectTop);
      Reference.reachabilityFence(args);
      Reference.reachabilityFence(this);
    }
  }

  private static void finishCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().finish();
    }
  }

  private static void dropCopies(NativeThread thread, int from) {
    while (thread.copies.size() > from) {
      thread.copies.removeLast().drop();
    }
  }

  @Override
  public String toString() {
    return "native function " + name;
  }
}
