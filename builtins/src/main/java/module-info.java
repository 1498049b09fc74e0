/** The {@code vm.builtin.*} functions, offered through a function provider. */
module org.relaxvm.builtins {
  requires org.relaxvm.api;
  requires org.slf4j;
  requires com.fasterxml.jackson.jr.ob;
  requires static org.jspecify;
}
