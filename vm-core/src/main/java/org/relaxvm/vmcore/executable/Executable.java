package org.relaxvm.vmcore.executable;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Relax VM executable: function table, constant pool and instruction words, as read from a file or
 * made by a builder. It may still be invalid: the verifier decides before anything runs.
 *
 * <p>Source: executable format, section 2. Immutable and thread-safe; constant tensors must not be
 * written.
 */
public final class Executable {
  private final List<FunctionInfo> functions;
  private final Map<String, Integer> functionIndex;
  private final List<Object> constants;
  private final SortedMap<Integer, String> memoryScopes;
  private final long[] instrOffset;
  private final long[] instrData;

  /**
   * Creates an executable.
   *
   * @param functions the function table; of two entries with one name the later is found by name
   * @param constants each a {@link org.relaxvm.api.Tensor}, {@link org.relaxvm.api.Shape}, {@link
   *     String}, {@link Long}, {@link Double} or {@link org.relaxvm.api.DType}
   * @param memoryScopes memory scope by index of the constant
   * @param instrOffset first word of each instruction; copied
   * @param instrData instruction words; copied
   */
  public Executable(
      List<FunctionInfo> functions,
      List<Object> constants,
      Map<Integer, String> memoryScopes,
      long[] instrOffset,
      long[] instrData) {
    this.functions = List.copyOf(functions);
    this.constants = List.copyOf(constants);
    this.memoryScopes = Collections.unmodifiableSortedMap(new TreeMap<>(memoryScopes));
    this.instrOffset = instrOffset.clone();
    this.instrData = instrData.clone();
    Map<String, Integer> index = new HashMap<>();
    for (int i = 0; i < functions.size(); i++) {
      index.put(functions.get(i).name(), i);
    }
    this.functionIndex = Map.copyOf(index);
  }

  /** The function table. */
  public List<FunctionInfo> functions() {
    return functions;
  }

  /** The index of a function of any kind in the table. */
  public Optional<Integer> functionIndex(String name) {
    return Optional.ofNullable(functionIndex.get(name));
  }

  /** The function of a name, of any kind. */
  public Optional<FunctionInfo> function(String name) {
    return functionIndex(name).map(functions::get);
  }

  /** The constant pool; tensors are borrowed. */
  public List<Object> constants() {
    return constants;
  }

  /** The memory scope of constants that have one, by index in the pool. */
  public SortedMap<Integer, String> memoryScopes() {
    return memoryScopes;
  }

  /** The number of instructions. */
  public int instructionCount() {
    return instrOffset.length;
  }

  /** The number of instruction words. */
  public int wordCount() {
    return instrData.length;
  }

  /** The index of the first word of an instruction. */
  public long offset(int instruction) {
    return instrOffset[instruction];
  }

  /** A word of the instruction stream. */
  public long word(int index) {
    return instrData[index];
  }

  /** A copy of the first word index of every instruction. */
  public long[] offsets() {
    return instrOffset.clone();
  }

  /** A copy of all instruction words. */
  public long[] words() {
    return instrData.clone();
  }
}
