/**
 * The modules inside an exported library: the container that holds them and what is in each. Start
 * with {@link org.relaxvm.interoptvm.library.LibraryBin}.
 */
@NullMarked
package org.relaxvm.interoptvm.library;

import org.jspecify.annotations.NullMarked;
