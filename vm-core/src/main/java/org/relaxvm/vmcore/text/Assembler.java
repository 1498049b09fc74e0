package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.text.Token.Kind;

/**
 * Reads executables from their text form, version 1. The instruction lines of {@link
 * ExecutableText#asText} are part of it; what a listing leaves out has a notation here.
 *
 * <pre>{@code
 * relaxvm-text 1                          # optional in hand-written programs
 *
 * constants:                              # optional: c[0], c[1], ... in order
 *   c[0] = dtype float32
 *   c[1] = shape[2, 3]
 *   c[2] = tensor float32[2] = [1.0, nan]
 *   c[3] = "text\n" scope "global"        # the memory scope is optional
 *
 * @main(x, n) regs=4:                     # parameter names, or their number; registers optional
 *   call  vm.builtin.copy  in: %0, i-1, c[0] dst: %2
 *   call  scale in: %2, 0.5, "fast", shape[2] dst: %3
 *   if    %1 otherwise                    # or a distance: If %1, 3
 *   ret   %2
 * otherwise:
 *   ret   %3
 *
 * @scale packed_func;                     # optional for functions that are only called
 * @native num_inputs=2 regs=3 vm_tir_func;
 * }</pre>
 *
 * <ul>
 *   <li>Arguments: {@code %0}, {@code %vm}, {@code %void}; immediates {@code i5}; {@code c[0]};
 *       {@code f[name]}; or an inline constant. An inline integer becomes an immediate when it
 *       fits, everything else an entry of the pool, shared when equal.
 *   <li>Constants: integers, floats ({@code 1.5}, {@code 0x1.8p0}, {@code nan}, {@code -inf}, {@code
 *       float bits 0x7ff8000000000001}), strings with the escapes of Java, {@code
 *       dtype int8}, {@code shape[1, -1]}, {@code tensor int64[2] = [1, 2]} in row-major order, and
 *       {@code tensor float8_e5m2[4] base64 "..." "..."} with one or more strings.
 *   <li>Names that are not made of letters, digits, {@code _ . $} are written in quotes.
 *   <li>The function table has the functions with a header in their order, then those that are only
 *       called. {@code at=} on every bytecode function gives another order of the bodies in the code.
 *   <li>Comments start with {@code #} or {@code //}.
 * </ul>
 *
 * The result is not verified; {@link org.relaxvm.vmcore.program.Program#of} does that. Errors are
 * {@link org.relaxvm.api.error.MalformedFileException}s that show line, column and the line's text.
 * Time and memory are bounded by the length of the text. Stateless and thread-safe.
 */
public final class Assembler {
  /** The version of the text form that is read and printed. */
  public static final int VERSION = 1;

  /** The first word of the first line. */
  public static final String HEADER = "relaxvm-text";

  private final TokenStream tokens;
  private final ConstantPool pool = new ConstantPool();
  private final Map<Integer, String> scopes = new LinkedHashMap<>();
  private final FunctionTable table;

  private Assembler(String text) {
    SourceText source = new SourceText(text);
    checkVersion(source);
    tokens = new TokenStream(source);
    table = new FunctionTable(tokens);
  }

  /** Whether a text starts as a program does, so that other text files can be told from it. */
  public static boolean looksLikeProgram(String text) {
    int at = Lexer.afterBlankLines(text);
    return text.startsWith(HEADER, at)
        || (text.startsWith("@", at) && !startsModule(text, at))
        || text.startsWith("constants:", at);
  }

  /** Whether a text goes on as a module in Relax IR does: a line that no function here begins. */
  private static boolean startsModule(String text, int at) {
    int end = text.indexOf('\n', at);
    return text.substring(at, end < 0 ? text.length() : end).strip().equals("@I.ir_module");
  }

  /**
   * Reads a program.
   *
   * @throws org.relaxvm.api.error.MalformedFileException a {@code ValueError} at the first position
   *     that does not follow the form
   */
  public static Executable parse(String text) {
    return new Assembler(text).executable();
  }

  /** Another version may have another syntax everywhere, so it is told before anything is cut. */
  private static void checkVersion(SourceText source) {
    String text = source.text();
    int at = Lexer.afterBlankLines(text);
    if (!text.startsWith(HEADER + " ", at)) {
      return;
    }
    int start = at + HEADER.length() + 1;
    int end = start;
    while (end < text.length() && Character.isDigit(text.charAt(end)) && end < start + 20) {
      end++;
    }
    String version = text.substring(start, end);
    if (!version.equals(String.valueOf(VERSION))) {
      throw source.error(
          start,
          "this text is of version '"
              + version
              + "', but version "
              + VERSION
              + " is read; update RelaxVM, or write the program in that version");
    }
  }

  private void skipHeader() {
    tokens.skipNewlines();
    if (tokens.peek().isName("relaxvm") && tokens.peekSecond().text().equals("-text")) {
      tokens.next();
      tokens.next();
      tokens.integer("the version of the text form");
      tokens.expectLineEnd("the end of the line after the version");
    }
  }

  private Executable executable() {
    skipHeader();
    constants();
    FunctionParser parser = new FunctionParser(tokens, pool, table);
    List<FunctionSource> functions = new ArrayList<>();
    tokens.skipNewlines();
    while (tokens.peek().kind() != Kind.END) {
      functions.add(parser.function());
      tokens.skipNewlines();
    }
    return assemble(functions);
  }

  private void constants() {
    tokens.skipNewlines();
    if (!tokens.peek().isName("constants")) {
      return;
    }
    tokens.next();
    tokens.expect(':', "':' after 'constants'");
    tokens.expectLineEnd("the end of the line after 'constants:'");
    LiteralParser literals = new LiteralParser(tokens);
    tokens.skipNewlines();
    while (tokens.peek().isName("c")) {
      String expected = "c[" + pool.size() + "], since constants are numbered in order";
      tokens.next();
      tokens.expect('[', "'[' after 'c'");
      Token token = tokens.peek();
      if (tokens.integer(expected) != pool.size()) {
        throw tokens.error(token, "expected " + expected + ", but got " + token.describe());
      }
      tokens.expect(']', "']' after the number of a constant");
      tokens.expect('=', "'=' and a constant");
      pool.append(literals.literal());
      if (tokens.acceptName("scope")) {
        scopes.put(pool.size() - 1, tokens.expect(Kind.STRING, "a memory scope in quotes").text());
      }
      tokens.expectLineEnd("the end of the line after a constant");
      tokens.skipNewlines();
    }
  }

  private Executable assemble(List<FunctionSource> functions) {
    List<FunctionSource> bodies =
        new ArrayList<>(functions.stream().filter(f -> f.kind == FunctionKind.VM).toList());
    if (bodies.stream().anyMatch(f -> f.start.isPresent())) {
      bodies.sort(Comparator.comparingLong(f -> f.start.orElse(Long.MAX_VALUE)));
    }
    Map<String, FunctionInfo> infos = new HashMap<>();
    List<long[]> instructions = new ArrayList<>();
    for (FunctionSource body : bodies) {
      long start = instructions.size();
      if (body.start.orElse(start) != start) {
        throw tokens.error(
            body.name,
            "at="
                + body.start.orElse(0)
                + " leaves a gap or overlaps: the bodies before end at "
                + start);
      }
      infos.put(body.name.text(), body.info(start));
      instructions.addAll(body.instructions);
    }
    functions.stream()
        .filter(f -> f.kind != FunctionKind.VM)
        .forEach(f -> infos.put(f.name.text(), f.info(0)));
    List<FunctionInfo> entries =
        table.names().stream()
            .map(name -> infos.getOrDefault(name, FunctionInfo.packed(name)))
            .toList();
    long[] offsets = new long[instructions.size()];
    int words = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = words;
      words += instructions.get(i).length;
    }
    long[] data = new long[words];
    for (int i = 0; i < offsets.length; i++) {
      long[] instruction = instructions.get(i);
      System.arraycopy(instruction, 0, data, (int) offsets[i], instruction.length);
    }
    return new Executable(entries, pool.constants(), scopes, offsets, data);
  }
}
