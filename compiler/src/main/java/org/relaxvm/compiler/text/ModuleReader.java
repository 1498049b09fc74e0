package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.Token.Kind;
import org.relaxvm.tir.text.TokenStream;

/** Reads a module: heads of functions and whole kernels first, then the bodies of functions. */
final class ModuleReader {
  private final Reading reading;
  private final TokenStream tokens;
  private final Map<String, Object> attrs = new LinkedHashMap<>();
  private final List<VDevice> vdevices = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();

  ModuleReader(Reading reading) {
    this.reading = reading;
    this.tokens = reading.tokens;
  }

  /** A function whose body is not read yet. */
  private record Pending(GlobalVar name, FunctionReader reader, FunctionReader.Head head) {}

  IRModule read() {
    introduction();
    tokens.expect("class");
    reading.modules.add(tokens.expectNewName("a module").text());
    reading.openBody();
    while (tokens.peek().kind() != Kind.DEDENT) {
      item();
    }
    tokens.next();
    int end = tokens.mark();
    if (tokens.peek().kind() != Kind.END) {
      throw tokens.unexpected("the end of the text after the class");
    }
    for (Pending function : pending) {
      reading.builder.put(function.name(), function.reader().body(function.head()));
      reading.unknownResults.remove(function.head().name().text());
    }
    tokens.reset(end);
    return new IRModule(reading.builder.module().functions(), new Attrs(attrs), vdevices);
  }

  /** Imports, symbols and the decorator. */
  private void introduction() {
    while (!tokens.peek().is("class") && !tokens.peek().is("@")) {
      Token name = tokens.peek();
      if (name.is("from") || name.is("import")) {
        reading.skipLine();
        continue;
      }
      if (name.kind() != Kind.NAME || !tokens.peek(1).is("=") || !tokens.peek(2).is("TypeVar")) {
        throw tokens.unexpected("a module, which begins with @I.ir_module and class Module:");
      }
      reading.symbols.add(tokens.expectNewName("a symbol").text());
      reading.skipLine();
    }
    if (tokens.accept("@")) {
      tokens.expect("I");
      tokens.expect(".");
      tokens.expect("ir_module");
      reading.skipLine();
    }
  }

  private void item() {
    if (tokens.comes("@", "T", ".")) {
      EmbeddedText.Kernel kernel = EmbeddedText.parseKernel(tokens, reading.symbols);
      put(kernel.name(), kernel.function().name(), new KernelFunction(kernel.function()));
    } else if (tokens.comes("@", "R", ".")) {
      function();
    } else if (tokens.comes("I", ".")) {
      attributes();
    } else if (tokens.peek().kind() == Kind.NAME && tokens.peek(1).is("=")) {
      extern();
    } else if (tokens.accept("pass")) {
      tokens.expectLineEnd();
    } else {
      throw tokens.unexpected(
          "a function of the module: @R.function, @T.prim_func or f = R.ExternFunc(\"...\")");
    }
  }

  private void function() {
    FunctionReader reader = new FunctionReader(reading);
    FunctionReader.Head head = reader.head();
    reader.skipBody();
    GlobalVar name = name(head.name(), head.realName());
    reading.builder.declare(name, head.type());
    if (head.result().isEmpty()) {
      reading.unknownResults.add(head.name().text());
    }
    pending.add(new Pending(name, reader, head));
  }

  private void extern() {
    Token name = tokens.expectNewName("a function");
    tokens.expect("=");
    if (!tokens.comes("R", ".", "ExternFunc", "(")) {
      throw tokens.unexpected("R.ExternFunc(\"...\")");
    }
    ExternFunc function = (ExternFunc) new ExprReader(reading, new Scope(reading.symbols)).read();
    tokens.expectLineEnd();
    put(name, name.text(), function);
  }

  private void put(Token name, String realName, ModuleFunction function) {
    GlobalVar global = name(name, realName);
    reading.located(
        name,
        () -> {
          reading.builder.put(global, function);
          return global;
        });
  }

  private GlobalVar name(Token name, String realName) {
    GlobalVar global = new GlobalVar(realName);
    boolean isNew =
        reading.builder.find(global).isEmpty()
            && reading.functions.put(name.text(), global) == null;
    if (!isNew) {
      throw tokens.error(name, "the module has two functions of the name '" + realName + "'");
    }
    return global;
  }

  /** {@code I.module_attrs({...})} and {@code I.module_global_infos({"vdevice": [...]})}. */
  private void attributes() {
    Token start = tokens.next();
    tokens.expect(".");
    Token name = tokens.expect(Kind.NAME, "the name of a function of I");
    tokens.expect("(");
    switch (name.text()) {
      case "module_attrs" -> attrs.putAll(AttrReader.entries(reading));
      case "module_global_infos" -> vdevices();
      default ->
          throw reading.unknown(
              start,
              "attribute of a module",
              "I." + name.text(),
              List.of("I.module_attrs", "I.module_global_infos"));
    }
    tokens.expect(")");
    tokens.expectLineEnd();
  }

  private void vdevices() {
    TypeReader types = new TypeReader(reading, new Scope(reading.symbols));
    tokens.expect("{");
    boolean more = !tokens.accept("}");
    while (more) {
      Token key = tokens.expect(Kind.STRING, "\"vdevice\"");
      if (!key.text().equals("vdevice")) {
        throw reading.unknown(key, "kind of global info", key.text(), List.of("vdevice"));
      }
      tokens.expect(":");
      tokens.expect("[");
      boolean another = !tokens.accept("]");
      while (another) {
        vdevices.add(types.vdevice());
        another = tokens.another("]");
      }
      more = tokens.another("}");
    }
  }
}
