package org.relaxvm.cli;

import java.lang.reflect.Constructor;
import org.relaxvm.cli.output.Console;
import picocli.CommandLine;

/** Makes commands: those with a constructor that takes the console get it. */
record CommandFactory(Console console) implements CommandLine.IFactory {
  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getConstructors()) {
      Class<?>[] parameters = constructor.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == Console.class) {
        return type.cast(constructor.newInstance(console));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
