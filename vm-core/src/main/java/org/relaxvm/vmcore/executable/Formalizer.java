package org.relaxvm.vmcore.executable;

import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the registers of each VM function in the order of their first definition, the parameters
 * first, and sets the size of its register file. Source: docs/spec/executable-format.md, section
 * 6.1.
 */
final class Formalizer {
  private final Executable source;
  private final long[] words;

  private Formalizer(Executable source) {
    this.source = source;
    this.words = source.words();
  }

  static Executable formalize(Executable source) {
    Formalizer formalizer = new Formalizer(source);
    return Executable.ofOwned(
        source.functions().stream().map(formalizer::rename).toList(),
        source.constants(),
        source.memoryScopes(),
        source.offsets(),
        formalizer.words);
  }

  private FunctionInfo rename(FunctionInfo function) {
    if (function.kind() != FunctionKind.VM) {
      return function;
    }
    Map<Long, Long> numbers = new HashMap<>();
    long next = function.numArgs();
    for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
      int at = (int) source.offset((int) pc);
      switch (Opcode.of(words[at]).orElseThrow()) {
        case CALL -> {
          for (int i = at + 4; i < at + 4 + words[at + 3]; i++) {
            // A register's word is its number, so the map serves words too.
            words[i] = numbers.getOrDefault(words[i], words[i]);
          }
          long dst = words[at + 1];
          if (dst >= function.numArgs() && dst < Arg.FIRST_SPECIAL_REGISTER) {
            Long number = numbers.putIfAbsent(dst, next);
            words[at + 1] = number != null ? number : next++;
          }
        }
        case RET, IF -> words[at + 1] = numbers.getOrDefault(words[at + 1], words[at + 1]);
        case GOTO -> {}
      }
    }
    return new FunctionInfo(
        function.kind(),
        function.name(),
        function.startInstr(),
        function.endInstr(),
        function.numArgs(),
        next,
        function.paramNames());
  }
}
