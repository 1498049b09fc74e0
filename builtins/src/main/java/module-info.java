/** The {@code vm.builtin.*} functions, offered through a function provider. */
module org.relaxvm.builtins {
  requires transitive org.relaxvm.api;
  requires org.slf4j;
  requires com.fasterxml.jackson.jr.ob;
  requires static java.desktop; // decoders of images, where they are there
  requires static org.jspecify;

  exports org.relaxvm.builtins;
  exports org.relaxvm.builtins.params;

  provides org.relaxvm.api.spi.FunctionProvider with
      org.relaxvm.builtins.BuiltinFunctions;
}
