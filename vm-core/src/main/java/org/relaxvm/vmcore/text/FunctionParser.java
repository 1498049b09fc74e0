package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;
import org.relaxvm.vmcore.text.Token.Kind;

/** Reads one function: its header and, for bytecode, its instructions and labels. */
final class FunctionParser {
  private static final String HEADER_END = "':' and instructions, 'packed_func;' or 'vm_tir_func;'";
  private static final String ARGUMENT =
      "an argument: %0, %vm, %void, i5, c[0], f[name] or a constant";

  private final TokenStream tokens;
  private final LiteralParser literals;
  private final ConstantPool pool;
  private final FunctionTable table;

  FunctionParser(TokenStream tokens, ConstantPool pool, FunctionTable table) {
    this.tokens = tokens;
    this.literals = new LiteralParser(tokens);
    this.pool = pool;
    this.table = table;
  }

  FunctionSource function() {
    tokens.expect('@', "'@' and the name of a function");
    FunctionSource function = new FunctionSource(name("the name of a function"));
    header(function);
    if (function.kind == FunctionKind.VM) {
      tokens.expectLineEnd("the end of the line after ':'");
      while (!tokens.peek().is('@') && tokens.peek().kind() != Kind.END) {
        if (tokens.peek().kind() == Kind.NEWLINE) {
          tokens.next();
        } else {
          line(function);
        }
      }
      function.resolve(tokens);
    }
    return function;
  }

  private void header(FunctionSource function) {
    boolean listed = tokens.accept('(');
    if (listed) {
      parameters(function);
    }
    while (tokens.peek().kind() == Kind.NAME && tokens.peekSecond().is('=')) {
      attribute(function);
    }
    if (tokens.peek().is(':')) {
      if (!listed) {
        throw tokens.unexpected(
            "the parameters, such as '(x, y)', '(2)' or '()', since a plain listing does not tell"
                + " them");
      }
      tokens.next();
      return;
    }
    if (tokens.acceptName("packed_func")) {
      function.kind = FunctionKind.PACKED;
    } else if (tokens.acceptName("vm_tir_func")) {
      function.kind = FunctionKind.VMTIR;
    } else {
      throw tokens.unexpected(HEADER_END);
    }
    tokens.expect(';', "';'");
    tokens.expectLineEnd("the end of the line after ';'");
  }

  private void parameters(FunctionSource function) {
    if (tokens.peek().kind() == Kind.NUMBER) {
      function.numArgs = OptionalLong.of(count("the number of parameters"));
      tokens.expect(')', "')' after the number of parameters");
      return;
    }
    List<String> names = new ArrayList<>();
    while (!tokens.accept(')')) {
      if (!names.isEmpty()) {
        tokens.expect(',', "',' or ')' among the parameters");
      }
      names.add(name("the name of a parameter").text());
    }
    function.paramNames = names;
    function.numArgs = OptionalLong.of(names.size());
  }

  private void attribute(FunctionSource function) {
    Token key = tokens.next();
    tokens.next();
    switch (key.text()) {
      case "num_inputs" -> {
        Token token = tokens.peek();
        long value = tokens.integer("the number of parameters");
        if (function.numArgs.orElse(value) != value) {
          throw tokens.error(
              token,
              "num_inputs=" + value + " differs from the list of " + function.numArgs.orElse(0));
        }
        function.numArgs = OptionalLong.of(value);
      }
      case "regs" -> function.registers = OptionalLong.of(count("the number of registers"));
      case "at" -> function.start = OptionalLong.of(count("the number of an instruction"));
      default ->
          throw tokens.error(key, "expected num_inputs=, regs= or at=, but got " + key.describe());
    }
  }

  private void line(FunctionSource function) {
    Token first = tokens.expect(Kind.NAME, "an instruction (call, ret, goto, if) or a label");
    if (tokens.accept(':')) {
      if (!function.label(first.text())) {
        throw tokens.error(first, "the label " + first.describe() + " is there already");
      }
      return;
    }
    switch (first.text()) {
      case "call" -> function.instructions.add(call(function));
      case "ret" -> {
        // Listings of 2021 have the word twice.
        tokens.acceptName("ret");
        function.instructions.add(new long[] {Opcode.RET.code(), register(function)});
      }
      case "goto" -> jump(function, new long[] {Opcode.GOTO.code(), 0}, 1);
      case "if", "If" -> {
        long condition = register(function);
        tokens.accept(',');
        jump(function, new long[] {Opcode.IF.code(), condition, 0}, 2);
      }
      default ->
          throw tokens.error(
              first,
              "expected an instruction (call, ret, goto, if) or a label with ':', but got "
                  + first.describe());
    }
    tokens.expectLineEnd("the end of the line");
  }

  private void jump(FunctionSource function, long[] words, int word) {
    if (tokens.peek().kind() == Kind.NAME) {
      function.jump(words, word, tokens.next());
    } else {
      words[word] = tokens.integer("a label, or a distance in instructions");
      function.instructions.add(words);
    }
  }

  private long[] call(FunctionSource function) {
    int callee = table.index(name("the name of the function to call").text());
    List<Arg> args = new ArrayList<>();
    if (tokens.acceptName("in")) {
      tokens.expect(':', "':' after 'in'");
      while (!tokens.peek().isName("dst") && !endsLine()) {
        if (!args.isEmpty()) {
          tokens.expect(',', "',' or 'dst:' after an argument");
        }
        args.add(argument(function));
      }
    }
    long dst = Arg.VOID_REGISTER;
    if (tokens.acceptName("dst")) {
      tokens.expect(':', "':' after 'dst'");
      // Listings of 2021 have the register without a sign.
      dst = tokens.acceptName("void") ? Arg.VOID_REGISTER : register(function);
    }
    long[] words = new long[Opcode.CALL.fixedWords() + args.size()];
    words[0] = Opcode.CALL.code();
    words[1] = dst;
    words[2] = callee;
    words[3] = args.size();
    for (int i = 0; i < args.size(); i++) {
      words[Opcode.CALL.fixedWords() + i] = args.get(i).word();
    }
    return words;
  }

  private Arg argument(FunctionSource function) {
    Token token = tokens.peek();
    Token second = tokens.peekSecond();
    if (token.is('%')) {
      return Arg.register(register(function));
    }
    if (token.isName("c") && second.is('[')) {
      return Arg.constant(bracketedIndex());
    }
    if (token.isName("f") && second.is('[')) {
      tokens.next();
      tokens.next();
      int index = table.index(name("the name of a function").text());
      tokens.expect(']', "']' after the name of a function");
      return Arg.function(index);
    }
    if (token.kind() == Kind.NAME && token.text().matches("i[0-9]+")) {
      tokens.next();
      return immediate(token, token.text().substring(1));
    }
    boolean negative =
        token.isName("i") && second.kind() == Kind.NUMBER && second.offset() == token.offset() + 1;
    if (negative) {
      tokens.next();
      return immediate(token, tokens.next().text());
    }
    boolean constant =
        token.kind() == Kind.NUMBER || token.kind() == Kind.STRING || token.kind() == Kind.NAME;
    if (!constant) {
      throw tokens.unexpected(ARGUMENT);
    }
    Object literal = literals.literal();
    if (literal instanceof Long number && Arg.fitsImmediate(number)) {
      return Arg.immediate(number);
    }
    return Arg.constant(pool.intern(literal));
  }

  private Arg immediate(Token token, String digits) {
    try {
      long value = Numbers.parseLong(digits);
      if (Arg.fitsImmediate(value)) {
        return new Arg(ArgKind.IMMEDIATE, value);
      }
    } catch (NumberFormatException e) {
      // Falls through to the same refusal: it has more digits than any integer.
    }
    throw tokens.error(
        token, "the immediate i" + shortened(digits) + " is not in -(2^55-1) to 2^55-1");
  }

  private long bracketedIndex() {
    tokens.next();
    tokens.next();
    Token token = tokens.peek();
    long index = count("the number of a constant");
    tokens.expect(']', "']' after the number of a constant");
    if (index >= pool.size()) {
      throw tokens.error(
          token,
          "there is no constant c[" + index + "]: the pool has " + pool.size() + " entries so far");
    }
    return index;
  }

  private long register(FunctionSource function) {
    tokens.expect('%', "a register such as %0");
    if (tokens.acceptName("void")) {
      return Arg.VOID_REGISTER;
    }
    if (tokens.acceptName("vm")) {
      return Arg.VM_REGISTER;
    }
    Token token = tokens.peek();
    long number = count("the number of a register, 'vm' or 'void'");
    if (number == Arg.EARLIER_VM_REGISTER) {
      return Arg.VM_REGISTER;
    }
    if (number >= Arg.FIRST_SPECIAL_REGISTER) {
      throw tokens.error(token, "the register %" + number + " is not below 2^54");
    }
    function.use(number);
    return number;
  }

  private long count(String expected) {
    Token token = tokens.peek();
    long value = tokens.integer(expected);
    if (value < 0) {
      throw tokens.error(token, "expected " + expected + ", but got " + value);
    }
    return value;
  }

  private Token name(String expected) {
    if (tokens.peek().kind() == Kind.STRING) {
      return tokens.next();
    }
    return tokens.expect(Kind.NAME, expected);
  }

  private boolean endsLine() {
    return tokens.peek().kind() == Kind.NEWLINE || tokens.peek().kind() == Kind.END;
  }

  private static String shortened(String digits) {
    return digits.length() > 30 ? digits.substring(0, 30) + "..." : digits;
  }
}
