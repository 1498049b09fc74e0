/** Tests of functions that exported libraries call by name. */
@NullMarked
package org.relaxvm.interoptvm.functions;

import org.jspecify.annotations.NullMarked;
