/** Loads native libraries into the process and binds them to virtual machines. */
@NullMarked
package org.relaxvm.interoptvm.load;

import org.jspecify.annotations.NullMarked;
