package org.relaxvm.vmcore.executable;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Relax VM executable: function table, constant pool and instruction words, as read from a file
 * or made by a builder. It may still be invalid: the verifier decides before anything runs.
 *
 * <p>Source: docs/spec/executable-format.md, section 2. Immutable and thread-safe; constant tensors
 * must not be written.
 */
public final class Executable {
  private final List<FunctionInfo> functions;
  private final Map<String, Integer> functionIndex;
  private final List<Object> constants;
  private final Map<Integer, String> memoryScopes;
  private final long[] instrOffset;
  private final long[] instrData;

  /**
   * Creates an executable.
   *
   * @param functions the function table; of two entries with one name the later is found by name
   * @param constants each a {@link org.relaxvm.api.Tensor}, {@link org.relaxvm.api.Shape}, {@link
   *     String}, {@link Long}, {@link Double} or {@link org.relaxvm.api.DType}
   * @param memoryScopes memory scope by index of the constant; the map's order is kept
   * @param instrOffset first word of each instruction; copied
   * @param instrData instruction words; copied
   */
  public Executable(
      List<FunctionInfo> functions,
      List<Object> constants,
      Map<Integer, String> memoryScopes,
      long[] instrOffset,
      long[] instrData) {
    this(instrOffset.clone(), instrData.clone(), functions, constants, memoryScopes);
  }

  private Executable(
      long[] instrOffset,
      long[] instrData,
      List<FunctionInfo> functions,
      List<Object> constants,
      Map<Integer, String> memoryScopes) {
    this.functions = List.copyOf(functions);
    this.constants = List.copyOf(constants);
    this.memoryScopes = Collections.unmodifiableMap(new LinkedHashMap<>(memoryScopes));
    this.instrOffset = instrOffset;
    this.instrData = instrData;
    Map<String, Integer> index = new HashMap<>();
    for (int i = 0; i < functions.size(); i++) {
      index.put(functions.get(i).name(), i);
    }
    this.functionIndex = Map.copyOf(index);
  }

  /** An executable over arrays that the caller gives up. */
  static Executable ofOwned(
      List<FunctionInfo> functions,
      List<Object> constants,
      Map<Integer, String> memoryScopes,
      long[] instrOffset,
      long[] instrData) {
    return new Executable(instrOffset, instrData, functions, constants, memoryScopes);
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

  /**
   * The memory scopes by index in the pool, in the order of the file, which means nothing but keeps
   * a rewritten file the same. An empty scope stands for none.
   */
  public Map<Integer, String> memoryScopes() {
    return memoryScopes;
  }

  /** The memory scope of a constant, unless it has none. */
  public Optional<String> memoryScope(int constant) {
    return Optional.ofNullable(memoryScopes.get(constant)).filter(scope -> !scope.isEmpty());
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
